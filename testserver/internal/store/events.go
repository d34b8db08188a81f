package store

import (
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// EventName is the name of an event.
type EventName string

// The events of surveys.
const (
	Shown     EventName = "survey shown"
	Dismissed EventName = "survey dismissed"
	Sent      EventName = "survey sent"
	Abandoned EventName = "survey abandoned"
)

// EventNames lists the events of surveys.
var EventNames = []EventName{Shown, Dismissed, Sent, Abandoned}

// Event is an event of a survey, or another event that an app sent. Its survey may have been deleted.
type Event struct {
	Project int64
	// DistinctID is the person's distinct ID. It is empty for an entry that represents several events,
	// each by a different person.
	DistinctID string
	// Index is the position of the event in the fixtures.
	Index int

	UUID uuid.UUID
	// Survey is zero if the event does not belong to a survey of the project.
	Survey uuid.UUID
	Name   EventName
	// At is zero for an event without a time. Such an event is in every window, and is the latest event of
	// its submission.
	At time.Time
	// Person identifies the person across distinct IDs. It is empty if the event represents several
	// persons.
	Person string
	// Count is the number of events that this entry represents, each by a different person. It is 1 if
	// Person is set.
	Count int64
	// Properties is a JSON object, or absent.
	Properties wire.Value
	// Submission is the ID that the events of one response share. It is empty if there is none.
	Submission string
	// Archived marks a response that counts only on request.
	Archived bool
	// arrival is the event's number in the order of arrival.
	arrival int64
}

// IsOfSurvey reports whether the event belongs to a survey.
func (e *Event) IsOfSurvey() bool { return e.Survey != uuid.Nil }

// Window is a period that includes both ends. A zero end leaves that side open.
type Window struct{ From, To time.Time }

// Holds reports whether the event is in the window.
func (w Window) Holds(e Event) bool {
	return e.At.IsZero() || (w.From.IsZero() || !e.At.Before(w.From)) && (w.To.IsZero() || !e.At.After(w.To))
}

// Within returns the intersection of two windows.
func (w Window) Within(bounds Window) Window {
	if w.From.Before(bounds.From) {
		w.From = bounds.From
	}
	if w.To.IsZero() || !bounds.To.IsZero() && bounds.To.Before(w.To) {
		w.To = bounds.To
	}
	return w
}

// In returns the events in a window.
func In(events []Event, w Window) []Event {
	result := make([]Event, 0, len(events))
	for _, e := range events {
		if w.Holds(e) {
			result = append(result, e)
		}
	}
	return result
}

// The default limits of a store: the number of events and their memory. If a limit is exceeded, the store
// drops the oldest quarter of the events, so that the cost of adding an event doesn't depend on their number.
// Survey events may use the whole limit. Other events may use only the rest, so they never displace survey
// events.
const (
	DefaultMaxEvents = 100_000
	maxEventBytes    = 64 << 20
)

// eventOverhead is the approximate memory of an event in addition to its texts.
const eventOverhead = 256

// weight returns the approximate memory of an event.
func (e *Event) weight() int {
	return eventOverhead + len(e.Name) + len(e.DistinctID) + len(e.Submission) + e.Properties.Size()
}

// eventLog contains events in the order of arrival.
type eventLog struct {
	events []Event
	bytes  int
	// known contains the IDs of all stored events. It is nil until collect is called.
	known map[uuid.UUID]bool
}

// clone returns a copy of the log that changes independently.
func (l eventLog) clone() eventLog {
	l.events = append([]Event(nil), l.events...)
	l.known = nil
	return l
}

// add adds an event and returns true, or returns false if the log already contains the event.
func (l *eventLog) add(e Event) bool {
	if l.known == nil {
		l.collect()
	}
	if e.UUID != uuid.Nil && l.known[e.UUID] {
		return false
	}
	l.known[e.UUID] = true
	l.events = append(l.events, e)
	l.bytes += e.weight()
	return true
}

// trim drops the oldest events if the log exceeds the number of events or bytes.
func (l *eventLog) trim(limit, bytes int) {
	if len(l.events) <= limit && l.bytes <= bytes {
		return
	}

	dropped := 0
	for dropped < len(l.events) && (len(l.events)-dropped > limit/4*3 || l.bytes > bytes/4*3) {
		l.bytes -= l.events[dropped].weight()
		dropped++
	}
	l.events = append([]Event(nil), l.events[dropped:]...)
	l.collect()
}

// collect fills known with the IDs of all events.
func (l *eventLog) collect() {
	l.known = make(map[uuid.UUID]bool, len(l.events))
	for _, e := range l.events {
		l.known[e.UUID] = true
	}
}

// OfSurvey returns a filter for the events of a survey.
func OfSurvey(s *Survey) func(int64, uuid.UUID) bool {
	return func(_ int64, survey uuid.UUID) bool { return survey == s.ID }
}

// OfProject returns a filter for the events of all surveys in a project.
func OfProject(id int64) func(int64, uuid.UUID) bool {
	return func(project int64, _ uuid.UUID) bool { return project == id }
}

// ResponseCount is the short form of events in the fixtures: a number of responses to a survey, each by a
// different person. Its survey may have been deleted.
type ResponseCount struct {
	Survey uuid.UUID `json:"survey_id"`
	Count  int64     `json:"count"`
	// At is a JSON string or null.
	At      wire.Value `json:"at"`
	Project int64      `json:"project_id,omitempty"`
	// Archived marks responses that count only on request.
	Archived bool `json:"archived,omitempty"`
	// Submission is the ID that partial answers of one person share. It is empty if there is none.
	Submission string `json:"submission_id,omitempty"`
}

// event converts the responses to an event.
func (r ResponseCount) event() Event {
	date, _ := wire.ParseTimestamp(r.At.Text())
	return Event{
		Survey: r.Survey, Name: Sent, At: date, Count: r.Count, Submission: r.Submission, Archived: r.Archived,
	}
}
