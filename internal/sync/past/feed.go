package past

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
)

// Feed is the activity feed of a survey.
type Feed struct {
	// Requests are its entries, oldest first: the changes of each request.
	Requests [][]framework.ActivityEntry
	// IsComplete is set when it begins with the creation of the survey.
	IsComplete bool
	// CutOff is the error because of which older entries were not read; nil for none.
	CutOff error
}

// ErrNoFeed is the error of a service that returns no feed.
var ErrNoFeed = errors.New("the service returned an empty activity feed")

const (
	pageSize = 100
	// mostPages bounds how much of a feed is read: 10,000 requests.
	mostPages = 100
)

// ReadFeed reads a feed page by page, from page 1, the newest. An error of the first page is
// returned; that of an older one cuts the feed off.
func ReadFeed(ctx context.Context, read func(ctx context.Context, page, size int64) (json.RawMessage, error)) (Feed, error) {
	var feed Feed
	var newer [][]framework.ActivityEntry
	for page := int64(1); page <= mostPages; page++ {
		requests, hasOlder, err := readPage(ctx, page, read)
		if err != nil && page > 1 {
			feed.CutOff = err
			break
		}
		if err != nil {
			return Feed{}, err
		}

		// An entry that came in since the page before has moved the others on to this one.
		for _, request := range requests {
			if !slices.ContainsFunc(newer, func(earlier []framework.ActivityEntry) bool { return slices.Equal(earlier, request) }) {
				feed.Requests = append(feed.Requests, request)
			}
		}
		if newer = requests; !hasOlder || len(requests) == 0 {
			break
		}
	}

	slices.Reverse(feed.Requests)
	feed.IsComplete = feed.CutOff == nil && len(feed.Requests) > 0 && feed.Requests[0][0].Activity.ValueString() == "created"
	return feed, nil
}

// ReadSurveyFeed reads the feed of a survey.
func ReadSurveyFeed(ctx context.Context, surveys *client.Surveys, id string) (Feed, error) {
	return ReadFeed(ctx, func(ctx context.Context, page, size int64) (json.RawMessage, error) {
		return surveys.ActivityPage(ctx, id, page, size)
	})
}

func readPage(ctx context.Context, page int64, read func(ctx context.Context, page, size int64) (json.RawMessage, error)) ([][]framework.ActivityEntry, bool, error) {
	body, err := read(ctx, page, pageSize)
	if err != nil {
		return nil, false, err
	}
	requests, hasOlder, err := framework.ActivityPage(body)
	switch {
	case err != nil:
		return nil, false, fmt.Errorf("the activity feed is not as expected: %w", err)
	case requests == nil && page == 1:
		return nil, false, ErrNoFeed
	}
	return requests, hasOlder, nil
}

// FirstLaunch is when a survey was first launched that has a start date now, as far as a
// complete feed says it; zero if it does not.
func (f Feed) FirstLaunch(start time.Time) time.Time {
	if !f.IsComplete {
		return time.Time{}
	}
	for _, request := range f.Requests {
		for _, entry := range request {
			isStart := entry.Field.ValueString() == "start_date"
			switch {
			case isStart && !entry.Before.IsNull(): // it was created with a start
				return time.Time{}
			case isStart, entry.Activity.ValueString() == "launched":
				return parseTime(entry)
			}
		}
	}
	return start // it was created with it
}

// lists are the lists of questions of a feed, oldest first, each once in a row.
func (f Feed) lists() []List {
	var lists []List
	add := func(raw string, l List) bool {
		questions, ok := Questions([]byte(raw))
		if !ok {
			return false
		}
		if last := len(lists) - 1; last < 0 || !sameQuestions(lists[last].Questions, questions) {
			l.Questions, l.Source = questions, FromFeed
			lists = append(lists, l)
		}
		return true
	}

	for k, request := range f.Requests {
		for _, entry := range request {
			if entry.Field.ValueString() != "questions" {
				continue
			}
			save := List{At: parseTime(entry), By: entry.User.ValueString(), Request: k}
			if !add(entry.Before.ValueString(), List{Request: NoRequest}) || !add(entry.After.ValueString(), save) {
				lists = nil // what is older cannot be followed
			}
		}
	}
	return lists
}

// parseTime is when an entry was made; zero where the feed does not say.
func parseTime(entry framework.ActivityEntry) time.Time {
	parsed, err := time.Parse(time.RFC3339, entry.At.ValueString())
	if err != nil {
		return time.Time{}
	}
	return parsed
}

// Event is what one request did to a survey.
type Event struct {
	// At is when, By who; zero where that is not known.
	At time.Time `json:"at,omitzero"`
	By string    `json:"by,omitempty"`
	// Steps are what it did as a whole.
	Steps []Step `json:"steps"`
	// Fields are the fields that it changed.
	Fields []string `json:"fields"`
	// Questions are what became of each question; none for a request without questions.
	Questions []Change `json:"questions"`
}

// Step is a part of the life of a survey.
type Step string

// The steps. Unlogged are edits that the feed lacks, Other is one that it has by another name.
const (
	Created    Step = "created"
	Launched   Step = "launched"
	Unlaunched Step = "back to draft"
	Stopped    Step = "stopped"
	Resumed    Step = "resumed"
	Archived   Step = "archived"
	Unarchived Step = "unarchived"
	Edited     Step = "edited"
	Deleted    Step = "deleted"
	Unlogged   Step = "unlogged"
)

// Effect is what an event does to a question and its answers.
type Effect string

// The effects.
const (
	// Kept questions have their ids and their answers.
	Kept Effect = "kept"
	// Retyped ones have their ids, and answers of another type.
	Retyped Effect = "retyped"
	// Cut ones have another id, and their answers are under the one before.
	Cut Effect = "detached"
	// Restored ones have an id that they had before.
	Restored Effect = "restored"
	// New ones have no answers; Removed ones are gone.
	New     Effect = "new"
	Removed Effect = "removed"
)

// Change is what an event did to a question.
type Change struct {
	Effect Effect `json:"effect"`
	// From and To are the places of the question before and after; -1 for none.
	From int `json:"from"`
	To   int `json:"to"`
	// ID, Type and Text are those after; those before of one that was removed.
	ID   string `json:"id"`
	Type string `json:"type"`
	Text string `json:"question"`
	// OldID, OldType and OldText are those before; of one that came back, those that it had last.
	OldID   string `json:"old_id,omitempty"`
	OldType string `json:"old_type,omitempty"`
	OldText string `json:"old_question,omitempty"`
	// IsEdited is set when anything but the id differs.
	IsEdited bool `json:"edited,omitempty"`
	// Match says how a question without its id was recognized.
	Match Match `json:"matched_by,omitempty"`
	// Responses are those to the survey while the question had the id that it lost; nil for none.
	Responses *Count `json:"responses,omitempty"`
}

// Count is a number of answers or responses, so far as the service tells it.
type Count struct {
	// Number is what was counted; nil when nothing was.
	Number *int64 `json:"number"`
	// AtLeast is set when there may be more.
	AtLeast bool `json:"at_least,omitempty"`
}

// ExactCount is a number that is all.
func ExactCount(n int64) Count { return Count{Number: &n} }

// IsKnown reports whether the number is all.
func (c Count) IsKnown() bool { return c.Number != nil && !c.AtLeast }

// IsNone reports whether there is known to be none.
func (c Count) IsNone() bool { return c.IsKnown() && *c.Number == 0 }

// Least is the number that there is at least.
func (c Count) Least() int64 {
	if c.Number == nil {
		return 0
	}
	return *c.Number
}

// Words are a number of answers.
func (c Count) Words() string {
	switch {
	case c.Number == nil:
		return "an unknown number of answers"
	case c.IsNone():
		return "no answers"
	case c.AtLeast:
		return "at least " + responses.Count(*c.Number, "answer")
	}
	return responses.Count(*c.Number, "answer")
}

// Estimate are the words for a number of answers of which that of the responses is known.
func (c Count) Estimate() string {
	switch {
	case c.IsNone():
		return "no answers"
	case c.Least() == 0:
		return "an unknown number of answers"
	case c.AtLeast:
		return "the answers of at least " + responses.Count(*c.Number, "response")
	}
	return "at most " + responses.Count(*c.Number, "answer")
}

// Events are what happened to a survey, oldest first.
func Events(feed Feed, timeline *Timeline) []Event {
	events, unlogged := []Event{}, []Event{} // the latter come before the next list that is logged
	next := 0
	through := func(request int) {
		for ; next <= request; next++ {
			events = append(events, newEvent(feed.Requests[next]))
		}
	}
	for k, list := range timeline.Lists {
		switch {
		case list.Request != NoRequest:
			through(list.Request - 1)
			events, unlogged = append(events, unlogged...), nil
			through(list.Request)
			last := &events[len(events)-1]
			last.Questions = append(last.Questions, timeline.changes(k)...)
		case k > 0:
			unlogged = append(unlogged, Event{Steps: []Step{Unlogged}, Fields: []string{}, Questions: timeline.changes(k)})
		}
	}
	through(len(feed.Requests) - 1)
	return append(events, unlogged...)
}

// newEvent is a request without its questions.
func newEvent(request []framework.ActivityEntry) Event {
	first := request[0]
	event := Event{At: parseTime(first), By: first.User.ValueString(), Fields: []string{}, Questions: []Change{}}
	for _, entry := range request {
		field, isNone := entry.Field.ValueString(), entry.After.IsNull() || entry.After.ValueString() == "false"
		if field != "" {
			event.Fields = append(event.Fields, field)
		}
		if step := stepForField(field, isNone); step != "" {
			event.Steps = append(event.Steps, step)
		}
	}

	slices.Sort(event.Fields)
	if activity := Step(first.Activity.ValueString()); activity != "updated" && !slices.Contains(event.Steps, activity) {
		event.Steps = append([]Step{activity}, event.Steps...)
	}
	if len(event.Steps) == 0 {
		event.Steps = []Step{Edited}
	}
	return event
}

// stepForField is the step that a field makes; empty for none.
func stepForField(field string, isNone bool) Step {
	steps := map[string][2]Step{"start_date": {Launched, Unlaunched}, "end_date": {Stopped, Resumed}, "archived": {Archived, Unarchived}}[field]
	if isNone {
		return steps[1]
	}
	return steps[0]
}

// changes are what a list did to the questions of the one before.
func (t *Timeline) changes(k int) []Change {
	changes := []Change{}
	if k == 0 {
		return changes
	}
	old, current := t.Lists[k-1].Questions, t.Lists[k].Questions
	for i, q := range current {
		changes = append(changes, t.change(k, i, q))
	}
	for j, q := range old {
		if !slices.Contains(t.Members[k], t.Members[k-1][j]) {
			changes = append(changes, Change{Effect: Removed, From: j, To: -1, ID: q.ID, Type: q.Type, Text: q.Text})
		}
	}
	return changes
}

// change is what a list did to the question at index i.
func (t *Timeline) change(k, i int, q Question) Change {
	line := t.Members[k][i]
	c := Change{Effect: New, From: slices.Index(t.Members[k-1], line), To: i, ID: q.ID, Type: q.Type, Text: q.Text}
	if line.first == k {
		return c
	}

	old, isKnown := t.saidBefore(k, line)
	if !isKnown {
		return c
	}
	c.OldID, c.OldType, c.OldText = old.ID, old.Type, old.Text
	c.IsEdited = old.isEdited(q)
	switch {
	case old.ID != q.ID && t.Matches[k][i] == ByID:
		c.Effect = Restored
	case old.ID != q.ID:
		c.Effect, c.Match = Cut, t.Matches[k][i]
	case old.Type != q.Type:
		c.Effect = Retyped
	case c.From < 0:
		c.Effect = Restored // it was gone, and is back with its id
	default:
		c.Effect = Kept
	}
	return c
}

// saidBefore is the question of a lineage in the newest list before a list that has it.
func (t *Timeline) saidBefore(k int, line *Lineage) (Question, bool) {
	for earlier := k - 1; earlier >= 0; earlier-- {
		if i := slices.Index(t.Members[earlier], line); i >= 0 {
			return t.Lists[earlier].Questions[i], true
		}
	}
	return Question{}, false
}

// Versions are the versions of the questions that the feed has, oldest first.
func (f Feed) Versions() [][]identity.Question {
	var versions [][]identity.Question
	for _, list := range f.lists() {
		versions = append(versions, Identities(list.Questions))
	}
	return versions
}
