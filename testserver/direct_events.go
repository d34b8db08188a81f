package testserver

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// Event is an event of a survey, as an app sent it or as the fixtures have it.
type Event struct {
	UUID      uuid.UUID
	ProjectID int64
	SurveyID  string
	// Event is survey shown, survey dismissed, survey sent or survey abandoned.
	Event string
	// At is when it happened, by the server's clock.
	At time.Time
	// DistinctID is that of the person; empty for several events, each of a person of its own,
	// whose number is in Count.
	DistinctID string
	Count      int64
	// Properties are what the app sent, with numbers as [json.Number].
	Properties Object
}

// Answer returns the answer to the question with an id: a string, or a list of them for
// multiple choice; nil for none.
func (e Event) Answer(questionID string) any { return e.Properties["$survey_response_"+questionID] }

// EventFilter selects events of surveys. A field that is empty selects any.
type EventFilter struct {
	// Event is the name of the event, as in [Event].
	Event string
	// SurveyID is the id of the survey, DistinctID that of the person.
	SurveyID, DistinctID string
}

// selects reports whether the filter selects an event.
func (f EventFilter) selects(e *store.Event) bool {
	return (f.Event == "" || f.Event == string(e.Name)) && (f.SurveyID == "" || f.SurveyID == e.Survey.String()) &&
		(f.DistinctID == "" || f.DistinctID == e.DistinctID)
}

// String says in words what the filter selects.
func (f EventFilter) String() string {
	text := f.Event
	if text == "" {
		text = "event"
	}
	if f.SurveyID != "" {
		text += " of survey " + f.SurveyID
	}
	if f.DistinctID != "" {
		text += " by " + f.DistinctID
	}
	return text
}

// Events returns events of surveys in the order of their arrival. Those of the short form
// responses are not among them.
func (d *direct) Events(f EventFilter) []Event {
	var events []Event
	for _, e := range d.contents.eventsOf(f) {
		events = append(events, publicEvent(e))
	}
	return events
}

// WaitEvent waits until there is an event of a survey that the filter selects, and returns the
// newest. When the context ends before that, the error says what there was instead.
//
// An app sends its events a moment after the person has answered, so a test that looked for them
// at once would often find none.
func (d *direct) WaitEvent(ctx context.Context, f EventFilter) (Event, error) {
	events := d.contents.waitEvents(ctx, f)
	if len(events) == 0 {
		return Event{}, fmt.Errorf("there is no %s: %w; %d other events of surveys have arrived",
			f, context.Cause(ctx), len(d.contents.eventsOf(EventFilter{})))
	}
	return publicEvent(events[len(events)-1]), nil
}

// eventsOf are the events that a filter selects. Events are replaced and never changed.
func (c *contents) eventsOf(f EventFilter) []store.Event {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var events []store.Event
	for i := range c.store.Events() {
		if e := &c.store.Events()[i]; f.selects(e) {
			events = append(events, *e)
		}
	}
	return events
}

// waitEvents are the events that a filter selects, as soon as there is one, or none when the
// context ends before.
func (c *contents) waitEvents(ctx context.Context, f EventFilter) []store.Event {
	for {
		arrived := c.arrived.next()
		if events := c.eventsOf(f); len(events) > 0 {
			return events
		}
		select {
		case <-arrived:
		case <-ctx.Done():
			return nil
		}
	}
}

func publicEvent(e store.Event) Event {
	properties := Object{}
	if len(e.Properties) > 0 {
		properties = decodeObject(e.Properties)
	}
	return Event{
		UUID: e.UUID, ProjectID: e.Project, SurveyID: e.Survey.String(), Event: string(e.Name), At: e.At.UTC(),
		DistinctID: e.DistinctID, Count: e.Count, Properties: properties,
	}
}

// Person adds a person and returns it, in the form of an entry in the fixtures document: with
// distinct_ids, and properties as flags see them. The default project is that of
// [Server.Credentials]. A person who is known by one of the ids is merged: properties are added
// and replaced, and several persons become one.
func (d *direct) Person(person Object) (Object, error) {
	_, projectID, _ := d.Credentials()
	entry, err := entryOf(person, Object{"project_id": json.Number(projectID)})
	if err != nil {
		return nil, err
	}
	return d.contents.putPerson(entry)
}
