package pull

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/activity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/held"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// The state lacks what the service held between two pulls without an apply: it has what was
// applied, and the plan has what is live. The activity feed has what was in between: since
// a value was last the applied one, or, where it came back to that, since the last write.

// keptQuestionLists is the number of lists of questions of a feed that are compared with
// the code.
const keptQuestionLists = 20

// RecallLogged adds to what is known of the past of a survey what its activity feed says,
// newest request first. It returns false when that is nothing.
func (r *Resource) RecallLogged(ctx context.Context, requests [][]activity.Entry) bool {
	applied, _ := r.memory.applied.(map[string]any)
	live, _ := r.Versions.Live.(map[string]any)
	if applied == nil || live == nil {
		return false
	}

	entries := slices.Concat(requests...)
	changed := false
	for name := range r.arguments {
		var learned bool
		switch name {
		case questionsName:
			learned = r.recallQuestions(ctx, applied[name], live[name], entries)
		case "status":
			learned = r.recallValue(name, applied[name], live[name], statusChanges(live, requests))
		default:
			learned = r.recallValue(name, applied[name], live[name], changesOf(name, entries))
		}
		changed = changed || learned
	}
	if changed {
		r.rebase()
	}
	return changed
}

// recallValue adds the values that an argument had since it was last the applied one.
func (r *Resource) recallValue(name string, applied, live any, changes []held.Change[any]) bool {
	since := held.Since(plain(applied), plain(live), changes, func(a, b any) bool { return held.IsSame(name, a, b) })
	return r.memory.values.NoteChanges(name, longest(since, held.After(r.memory.written, changes)))
}

// longest is the one of two beginnings of a list that has the other.
func longest[T any](a, b []T) []T {
	if len(a) < len(b) {
		return b
	}
	return a
}

// timeOf is when an entry was made; zero where the feed does not say.
func timeOf(entry activity.Entry) time.Time {
	at, err := time.Parse(time.RFC3339, entry.At.ValueString())
	if err != nil {
		return time.Time{}
	}
	return at
}

// changesOf are the changes of an argument that the feed calls by its name, newest first.
func changesOf(name string, entries []activity.Entry) []held.Change[any] {
	changes := []held.Change[any]{}
	for _, entry := range entries {
		if entry.Field.ValueString() == name {
			changes = append(changes, held.Change[any]{
				Before: decoded(entry.Before.ValueString()), After: decoded(entry.After.ValueString()), At: timeOf(entry),
			})
		}
	}
	return changes
}

// decoded is a value of the feed; nil for none, and for one that is no JSON.
func decoded(text string) any {
	value, err := jsonvalue.Decode(text)
	if err != nil {
		return nil
	}
	return value
}

// statusChanges are the changes of the status, newest first: the service has two dates in
// its place. What one request changed is one change.
func statusChanges(live map[string]any, requests [][]activity.Entry) []held.Change[any] {
	dates := map[string]any{"start_date": live["start_date"], "end_date": live["end_date"]}
	changes := []held.Change[any]{}
	for _, request := range requests {
		after := statusWith(dates)
		var at time.Time
		for _, entry := range request {
			at = timeOf(entry)
			if field := entry.Field.ValueString(); field == "start_date" || field == "end_date" {
				dates[field] = decoded(entry.Before.ValueString())
			}
		}
		changes = append(changes, held.Change[any]{Before: statusWith(dates), After: after, At: at})
	}
	return changes
}

func statusWith(dates map[string]any) any {
	date := func(name string) *string {
		if text, ok := dates[name].(string); ok {
			return &text
		}
		return nil
	}
	return survey.StatusOf(date("start_date"), date("end_date"))
}

// recallQuestions adds the lists of questions that a survey had since it was last the
// applied one.
func (r *Resource) recallQuestions(ctx context.Context, applied, live any, entries []activity.Entry) bool {
	changes := []held.Change[[]any]{}
	for _, entry := range entries {
		if entry.Field.ValueString() != questionsName {
			continue
		}
		before, errBefore := survey.LoggedQuestions(ctx, json.RawMessage(entry.Before.ValueString()))
		after, errAfter := survey.LoggedQuestions(ctx, json.RawMessage(entry.After.ValueString()))
		if errBefore != nil || errAfter != nil {
			break // What is older cannot be followed any more.
		}
		changes = append(changes, held.Change[[]any]{Before: before, After: after, At: timeOf(entry)})
	}

	since := held.Since(plainList(applied), plainList(live), changes, isSameList)
	if since == nil {
		// The service may have cleaned what a question has besides its text.
		since = held.Since(plainList(applied), plainList(live), changes, hasSameKeys)
	}
	since = longest(since, held.After(r.memory.written, changes))
	if len(since) == 0 {
		return false
	}

	values := make([]held.Change[any], len(since))
	var lists [][]survey.QuestionKey
	for i, change := range since {
		values[i] = held.Change[any]{Before: change.Before, After: change.After}
		isApplied := i == len(since)-1 && hasSameKeys(change.Before, plainList(applied))
		if i < keptQuestionLists && !isApplied {
			lists = append(lists, keysOf(change.Before))
		}
	}
	r.memory.questions = r.memory.questions.With(lists)
	return r.memory.values.NoteChanges(questionsName, values) || len(lists) > 0
}

func isSameList(a, b []any) bool { return hasSameKeys(a, b) && held.IsSame(questionsName, a, b) }

func hasSameKeys(a, b []any) bool { return slices.Equal(keysOf(a), keysOf(b)) }

func keysOf(list []any) []survey.QuestionKey {
	keys := make([]survey.QuestionKey, len(list))
	for i := range list {
		keys[i] = keyOf(list[i])
	}
	return keys
}

// plainList is a list of questions in which JSON is text.
func plainList(value any) []any {
	list, _ := value.([]any)
	all := make([]any, len(list))
	for i := range list {
		all[i] = plain(list[i])
	}
	return all
}

// codeOf is a copy of the code of an object, with questions that can be given ids.
func codeOf(code map[string]any) map[string]any {
	copied := maps.Clone(code)
	if list, ok := copied[questionsName].([]any); ok {
		copied[questionsName] = slices.Clone(list)
	}
	return copied
}
