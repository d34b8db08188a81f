package control

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// Event is an event that an app sent or that the fixtures contain.
type Event struct {
	UUID      uuid.UUID
	ProjectID int64
	// SurveyID is empty if the event does not belong to a survey of the project.
	SurveyID string
	// Event is the event name: survey shown, survey dismissed, survey sent, or survey abandoned for a
	// survey event, or any other name that an app sent, such as $feature_flag_called.
	Event string
	// At is the time of the event by the server's clock.
	At time.Time
	// DistinctID is the person's distinct ID. It is empty for an entry that represents several events,
	// each by a different person. Count is the number of these events.
	DistinctID string
	Count      int64
	// Properties are the properties that the app sent. Numbers are [json.Number].
	Properties Object
}

// Answer returns the answer to a question: a string, a list of strings for multiple choice, or nil if
// there is no answer.
func (e Event) Answer(questionID string) any { return e.Properties["$survey_response_"+questionID] }

// EventFilter selects events. An empty field matches every event.
type EventFilter struct {
	// Event is the event name, as in [Event].
	Event string
	// SurveyID is the ID of the survey, and DistinctID is the person's distinct ID.
	SurveyID, DistinctID string
}

// selects reports whether the filter selects an event.
func (f EventFilter) selects(e *store.Event) bool {
	return (f.Event == "" || f.Event == string(e.Name)) && (f.SurveyID == "" || f.SurveyID == e.Survey.String()) &&
		(f.DistinctID == "" || f.DistinctID == e.DistinctID)
}

// String describes the filter in words.
func (f EventFilter) String() string {
	text := "event"
	if f.Event != "" {
		text += fmt.Sprintf(" %q", f.Event)
	}
	if f.SurveyID != "" {
		text += " of survey " + f.SurveyID
	}
	if f.DistinctID != "" {
		text += " by " + f.DistinctID
	}
	return text
}

// Events returns the matching events in the order in which they arrived. It omits events that a fixtures
// document declares in the short form, as responses.
func (o Operations) Events(f EventFilter) []Event {
	var events []Event
	for _, e := range o.world.selectEvents(f) {
		events = append(events, publicEvent(e))
	}
	return events
}

// WaitEvent waits for an event that matches the filter, and returns the newest one. If the context
// ends first, it returns an error that lists the events that arrived instead.
//
// An app sends its events a moment after the person has answered, so a test that doesn't wait
// often finds no event.
func (o Operations) WaitEvent(ctx context.Context, f EventFilter) (Event, error) {
	events := o.world.waitEvents(ctx, f)
	if len(events) == 0 {
		return Event{}, fmt.Errorf("no %s arrived: %w. %d other events arrived",
			f, context.Cause(ctx), len(o.world.selectEvents(EventFilter{})))
	}
	return publicEvent(events[len(events)-1]), nil
}

// selectEvents returns the events that match the filter. A shallow copy is safe because the store
// replaces events and never modifies them.
func (w *World) selectEvents(f EventFilter) []store.Event {
	w.Mu.RLock()
	defer w.Mu.RUnlock()
	var events []store.Event
	for e := range w.Store.Events() {
		if f.selects(e) {
			events = append(events, *e)
		}
	}
	return events
}

// waitEvents returns the events that match the filter as soon as there is at least one. It returns
// nil if the context ends first.
func (w *World) waitEvents(ctx context.Context, f EventFilter) []store.Event {
	for {
		arrived := w.Arrived.Next()
		if events := w.selectEvents(f); len(events) > 0 {
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
	properties := decodeObject(e.Properties)
	public := Event{
		UUID: e.UUID, ProjectID: e.Project, Event: string(e.Name), At: e.At.UTC(),
		DistinctID: e.DistinctID, Count: e.Count, Properties: properties,
	}
	if e.IsOfSurvey() {
		public.SurveyID = e.Survey.String()
	}
	return public
}

// maxWait is the longest time that a request can wait for an event.
const maxWait = time.Minute

// eventParameters are the query parameters for events.
var eventParameters = []string{"distinct_id", "event", "survey_id", "wait", "world"}

// getEvents returns the events that match a request. With the parameter wait, it waits until at least
// one event matches.
func (o Operations) getEvents(r *http.Request) ([]fixtures.Event, error) {
	query := r.URL.Query()
	wait, err := readWait(query)
	if err != nil {
		return nil, fmt.Errorf("events: %w", err)
	}

	filter := EventFilter{Event: query.Get("event"), SurveyID: query.Get("survey_id"), DistinctID: query.Get("distinct_id")}
	events := o.world.selectEvents(filter)
	if len(events) == 0 && wait > 0 {
		// The wait also ends when the client disconnects.
		ctx, cancel := context.WithTimeout(r.Context(), wait)
		defer cancel()
		events = o.world.waitEvents(ctx, filter)
	}

	entries := make([]fixtures.Event, len(events))
	for i, e := range events {
		entries[i] = fixtures.EventEntry(e)
	}
	return entries, nil
}

// readWait checks the query parameters for events, and returns how long to wait.
func readWait(query url.Values) (time.Duration, error) {
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !slices.Contains(eventParameters, name) {
			return 0, fmt.Errorf("unknown parameter %q. Use one of %s", name, strings.Join(eventParameters, ", "))
		}
	}
	if !query.Has("wait") {
		return 0, nil
	}
	wait, err := time.ParseDuration(query.Get("wait"))
	if err != nil || wait < 0 || wait > maxWait {
		return 0, fmt.Errorf("wait must be a duration of at most %s, such as 5s, not %q", maxWait, query.Get("wait"))
	}
	return wait, nil
}
