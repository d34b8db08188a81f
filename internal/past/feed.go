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

// Feed is a survey's activity log.
type Feed struct {
	// Requests are the entries, oldest first, grouped by request.
	Requests [][]framework.ActivityEntry
	// IsComplete is set if the feed starts with the creation of the survey.
	IsComplete bool
	// CutOff is the error that prevented reading older entries, or nil.
	CutOff error
}

// ErrNoFeed is returned if PostHog returns an empty activity feed.
var ErrNoFeed = errors.New("PostHog returned an empty activity feed")

const (
	pageSize = 100
	// mostPages limits how much of a feed is read, to 10,000 requests.
	mostPages = 100
)

// ReadFeed reads a feed page by page, starting with page 1, the newest. It returns an error only if
// the first page fails; a later error sets Feed.CutOff.
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

		// New entries move older ones to the next page, where they appear again.
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
		return nil, false, fmt.Errorf("could not parse the activity feed: %w", err)
	case requests == nil && page == 1:
		return nil, false, ErrNoFeed
	}
	return requests, hasOlder, nil
}

// FirstLaunch returns when a survey that now has a start date was first launched. It returns zero
// if the feed is incomplete or does not contain the launch.
func (f Feed) FirstLaunch(start time.Time) time.Time {
	if !f.IsComplete {
		return time.Time{}
	}
	for _, request := range f.Requests {
		for _, entry := range request {
			isStart := entry.Field.ValueString() == "start_date"
			switch {
			case isStart && !entry.Before.IsNull(): // the survey was created with a start date
				return time.Time{}
			case isStart, entry.Activity.ValueString() == "launched":
				return parseTime(entry)
			}
		}
	}
	return start // the survey was created with this date
}

// lists returns the question lists in a feed, oldest first, without consecutive duplicates.
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
				lists = nil // lists from before this one cannot be followed
			}
		}
	}
	return lists
}

// parseTime returns the time of an entry, or zero.
func parseTime(entry framework.ActivityEntry) time.Time {
	parsed, err := time.Parse(time.RFC3339, entry.At.ValueString())
	if err != nil {
		return time.Time{}
	}
	return parsed
}

// Event is the effect of one request on a survey.
type Event struct {
	// At is when the request was made, and By who made it. They are zero if unknown.
	At time.Time `json:"at,omitzero"`
	By string    `json:"by,omitempty"`
	// Steps are the effects on the survey as a whole.
	Steps []Step `json:"steps"`
	// Fields are the changed fields.
	Fields []string `json:"fields"`
	// Questions are the effects on each question. They are empty if the request did not contain
	// questions.
	Questions []Change `json:"questions"`
}

// Step is an event in the life of a survey.
type Step string

// The possible steps. Unlogged is an edit that the feed does not contain. Other names from the feed
// are used unchanged.
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

// Effect describes what an event did to a question and its answers.
type Effect string

// The possible effects.
const (
	// Kept questions keep their IDs and their answers.
	Kept Effect = "kept"
	// Retyped questions keep their IDs, but earlier answers have another type.
	Retyped Effect = "retyped"
	// Cut questions have a new ID, and their answers stay under the old ID.
	Cut Effect = "detached"
	// Restored questions have an earlier ID again.
	Restored Effect = "restored"
	// New questions don't have answers. Removed questions are no longer in the survey.
	New     Effect = "new"
	Removed Effect = "removed"
)

// Change is the effect of an event on one question.
type Change struct {
	Effect Effect `json:"effect"`
	// From and To are the question's positions before and after the event, or -1.
	From int `json:"from"`
	To   int `json:"to"`
	// ID, Type, and Text are the values after the event. For a removed question, they are the
	// values before it.
	ID   string `json:"id"`
	Type string `json:"type"`
	Text string `json:"question"`
	// OldID, OldType, and OldText are the values before the event. For a question that returned,
	// they are the last known values.
	OldID   string `json:"old_id,omitempty"`
	OldType string `json:"old_type,omitempty"`
	OldText string `json:"old_question,omitempty"`
	// IsEdited is set if any value except the ID changed.
	IsEdited bool `json:"edited,omitempty"`
	// Match describes how a question with a new ID was recognized.
	Match Match `json:"matched_by,omitempty"`
	// Responses counts the survey's responses while the question had the lost ID. It is nil without
	// a lost ID.
	Responses *Count `json:"responses,omitempty"`
}

// Count is a number of answers or responses, as far as PostHog reports it.
type Count struct {
	// Number is the counted number, or nil.
	Number *int64 `json:"number"`
	// AtLeast is set if the actual number could be higher.
	AtLeast bool `json:"at_least,omitempty"`
}

// ExactCount returns an exact count.
func ExactCount(n int64) Count { return Count{Number: &n} }

// IsKnown reports whether the number is exact.
func (c Count) IsKnown() bool { return c.Number != nil && !c.AtLeast }

// IsNone reports whether the count is certainly zero.
func (c Count) IsNone() bool { return c.IsKnown() && *c.Number == 0 }

// Least returns the minimum number.
func (c Count) Least() int64 {
	if c.Number == nil {
		return 0
	}
	return *c.Number
}

// plus adds two counts. The sum is unknown if one of them is.
func (c Count) plus(other Count) Count {
	if c.Number == nil || other.Number == nil {
		return Count{}
	}
	return Count{Number: new(*c.Number + *other.Number), AtLeast: c.AtLeast || other.AtLeast}
}

// Words formats a number of answers.
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

// Estimate formats a number of answers if only the number of responses is known.
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

// Events returns the history of a survey, oldest first.
func Events(feed Feed, timeline *Timeline) []Event {
	events, unlogged := []Event{}, []Event{} // unlogged edits are inserted before the next logged list
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

// newEvent converts a request, without its effects on questions.
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

// stepForField returns the step that a change to a field causes, or "".
func stepForField(field string, isNone bool) Step {
	steps := map[string][2]Step{"start_date": {Launched, Unlaunched}, "end_date": {Stopped, Resumed}, "archived": {Archived, Unarchived}}[field]
	if isNone {
		return steps[1]
	}
	return steps[0]
}

// changes returns the differences between a list and the one before it.
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

// change returns the effect of a list on the question at index i.
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
		c.Effect = Restored // the question returned with its ID
	default:
		c.Effect = Kept
	}
	return c
}

// saidBefore returns a question's form in the newest earlier list that contains it.
func (t *Timeline) saidBefore(k int, line *Lineage) (Question, bool) {
	for earlier := k - 1; earlier >= 0; earlier-- {
		if i := slices.Index(t.Members[earlier], line); i >= 0 {
			return t.Lists[earlier].Questions[i], true
		}
	}
	return Question{}, false
}

// Versions returns the question lists in the feed, oldest first.
func (f Feed) Versions() [][]identity.Question {
	var versions [][]identity.Question
	for _, list := range f.lists() {
		versions = append(versions, Identities(list.Questions))
	}
	return versions
}
