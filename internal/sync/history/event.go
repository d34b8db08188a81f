package history

import (
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/activity"
)

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
	Cut Effect = "cut"
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
}

// Events are what happened to a survey, oldest first.
func Events(feed Feed, timeline *Timeline) []Event {
	made := map[int][]int{} // the lists by the requests that made them
	var unlogged []int
	for k, list := range timeline.Lists {
		switch {
		case k > 0 && list.Request == NoRequest:
			unlogged = append(unlogged, k)
		case list.Request != NoRequest:
			made[list.Request] = append(slices.Clone(unlogged), k)
			unlogged = nil
		}
	}

	events := []Event{}
	for r, request := range feed.Requests {
		for _, k := range made[r] {
			if timeline.Lists[k].Request == NoRequest {
				events = append(events, timeline.unlogged(k))
			}
		}
		event := eventOf(request)
		for _, k := range made[r] {
			if timeline.Lists[k].Request == r {
				event.Questions = append(event.Questions, timeline.changes(k)...)
			}
		}
		events = append(events, event)
	}
	for _, k := range unlogged {
		events = append(events, timeline.unlogged(k))
	}
	return events
}

func (t *Timeline) unlogged(k int) Event {
	return Event{Steps: []Step{Unlogged}, Fields: []string{}, Questions: t.changes(k)}
}

// eventOf is a request without its questions.
func eventOf(request []activity.Entry) Event {
	first := request[0]
	event := Event{At: timeOf(first), By: first.User.ValueString(), Fields: []string{}, Questions: []Change{}}
	for _, entry := range request {
		field, isNone := entry.Field.ValueString(), entry.After.IsNull() || entry.After.ValueString() == "false"
		if field != "" {
			event.Fields = append(event.Fields, field)
		}
		if step := dated(field, isNone); step != "" {
			event.Steps = append(event.Steps, step)
		}
	}

	slices.Sort(event.Fields)
	if named := Step(first.Activity.ValueString()); named != "updated" && !slices.Contains(event.Steps, named) {
		event.Steps = append([]Step{named}, event.Steps...)
	}
	if len(event.Steps) == 0 {
		event.Steps = []Step{Edited}
	}
	return event
}

// dated is the step that a field makes; empty for none.
func dated(field string, isNone bool) Step {
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
	before, after := t.Lists[k-1].Questions, t.Lists[k].Questions
	for i, q := range after {
		changes = append(changes, t.change(k, i, q))
	}
	for j, q := range before {
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
	c.IsEdited = old.Text != q.Text || old.contradicts(q)
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
	for before := k - 1; before >= 0; before-- {
		if i := slices.Index(t.Members[before], line); i >= 0 {
			return t.Lists[before].Questions[i], true
		}
	}
	return Question{}, false
}
