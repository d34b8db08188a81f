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

// EventNames are the events of surveys.
var EventNames = []EventName{Shown, Dismissed, Sent, Abandoned}

// Event is something that happened to a survey, which may be deleted by now, or anything else that an
// app has sent.
type Event struct {
	Project int64
	// DistinctID is the person's distinct ID. It is empty for an entry that represents several events,
	// each by a different person.
	DistinctID string
	// Index is the index of the event in the fixtures.
	Index int

	UUID uuid.UUID
	// Survey is zero for an event that is not of a survey of the project.
	Survey uuid.UUID
	Name   EventName
	// At is zero for an event without a time: it is in every window, and the latest of its
	// submission.
	At time.Time
	// Person identifies who did it, across distinct IDs; empty if no one else's events are
	// that person's.
	Person string
	// Count is the number of such events, each by a different person. It is 1 if Person is set.
	Count int64
	// Properties are a JSON object, or nothing.
	Properties wire.Value
	// Submission is the ID that the events of one response share; it is empty if there is none.
	Submission string
	// Archived is set for a response that is counted only on request.
	Archived bool
	// arrival counts the events of a store in the order of their arrival.
	arrival int64
}

// IsOfSurvey reports whether an event counts for a survey.
func (e *Event) IsOfSurvey() bool { return e.Survey != uuid.Nil }

// Window is the time in which events are counted, both ends included; a zero end is none.
type Window struct{ From, To time.Time }

// Holds reports whether a window holds an event.
func (w Window) Holds(e Event) bool {
	return e.At.IsZero() || (w.From.IsZero() || !e.At.Before(w.From)) && (w.To.IsZero() || !e.At.After(w.To))
}

// Within returns the window inside both of two.
func (w Window) Within(bounds Window) Window {
	if w.From.Before(bounds.From) {
		w.From = bounds.From
	}
	if w.To.IsZero() || !bounds.To.IsZero() && bounds.To.Before(w.To) {
		w.To = bounds.To
	}
	return w
}

// In returns the events that a window holds.
func In(events []Event, w Window) []Event {
	result := make([]Event, 0, len(events))
	for _, e := range events {
		if w.Holds(e) {
			result = append(result, e)
		}
	}
	return result
}

// The default limits of a store: the number of events, and the memory that they may use. When a limit
// is exceeded, the store drops the oldest quarter, so that the cost of an event doesn't depend on
// their number. Survey events may use all of the space, and other events only the rest: other events
// of an app never displace survey events.
const (
	DefaultMaxEvents = 100_000
	maxEventBytes    = 64 << 20
)

// eventOverhead approximates the memory that an event takes in addition to its texts.
const eventOverhead = 256

// weight returns an estimate of the memory that an event takes.
func (e *Event) weight() int {
	return eventOverhead + len(e.Name) + len(e.DistinctID) + len(e.Submission) + e.Properties.Size()
}

// eventLog has events in the order of their arrival.
type eventLog struct {
	events []Event
	bytes  int
	// known are the IDs of all events that are kept; nil when they are not collected yet.
	known map[uuid.UUID]bool
}

// clone returns a log that changes independently of this one.
func (l eventLog) clone() eventLog {
	l.events = append([]Event(nil), l.events...)
	l.known = nil
	return l
}

// add adds an event, unless it is there already.
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

// trim drops the oldest events if there are more than fit into a number of events or bytes.
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

// collect collects the IDs of all events.
func (l *eventLog) collect() {
	l.known = make(map[uuid.UUID]bool, len(l.events))
	for _, e := range l.events {
		l.known[e.UUID] = true
	}
}

// OfSurvey chooses the events of a survey.
func OfSurvey(s *Survey) func(int64, uuid.UUID) bool {
	return func(_ int64, survey uuid.UUID) bool { return survey == s.ID }
}

// OfProject chooses the events of all surveys of a project.
func OfProject(id int64) func(int64, uuid.UUID) bool {
	return func(project int64, _ uuid.UUID) bool { return project == id }
}

// ResponseCount is the short form of events in the fixtures: a number of responses to a survey, each
// by a different person. The survey may have been deleted since.
type ResponseCount struct {
	Survey uuid.UUID `json:"survey_id"`
	Count  int64     `json:"count"`
	// At is a JSON string or null.
	At      wire.Value `json:"at"`
	Project int64      `json:"project_id,omitempty"`
	// Archived is set for responses that are counted only on request.
	Archived bool `json:"archived,omitempty"`
	// Submission is the ID that partial answers of one person share; it is empty if there is none.
	Submission string `json:"submission_id,omitempty"`
}

// event returns the responses as events.
func (r ResponseCount) event() Event {
	date, _ := wire.ParseTimestamp(r.At.Text())
	return Event{
		Survey: r.Survey, Name: Sent, At: date, Count: r.Count, Submission: r.Submission, Archived: r.Archived,
	}
}
