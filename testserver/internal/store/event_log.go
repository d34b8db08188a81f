package store

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/surveyevent"
)

// DefaultMaxEvents is the number of events that a store keeps.
const DefaultMaxEvents = 100_000

// Event is an event of a survey, which may be deleted by now.
type Event struct {
	surveyevent.Event
	Project int64
	// DistinctID is that of the person; empty for several events, each of a person of its own.
	DistinctID string
	// Index is the index of the event in the fixtures.
	Index int
}

// eventLog has events in the order of their arrival. Beyond a number of them the oldest are
// only counted: several become one, with their number, at the time of the last.
type eventLog struct {
	events []Event
	max    int
}

// clone returns a log that changes independently of this one.
func (l eventLog) clone() eventLog {
	l.events = append([]Event(nil), l.events...)
	return l
}

// add adds an event. When there are too many, a quarter of them is folded at once, so that an
// event costs the same however many there are.
func (l *eventLog) add(e Event) {
	l.events = append(l.events, e)
	if len(l.events) > l.max {
		n := len(l.events) - l.max + l.max/4
		l.events = append(fold(l.events[:n], l.events[n:]), l.events[n:]...)
	}
}

// foldKey is what events have in common that are counted together.
type foldKey struct {
	survey             uuid.UUID
	name               surveyevent.Name
	response, archived bool
}

// foldedSubmission is a submission to a survey.
type foldedSubmission struct {
	survey uuid.UUID
	id     string
}

// fold counts events; kept are those that stay. Of a submission one event counts: a kept one, or
// else the latest. One that arrives later counts again.
func fold(events, kept []Event) []Event {
	open := map[foldedSubmission]bool{}
	for _, e := range kept {
		open[foldedSubmission{e.Survey, e.Submission}] = e.Submission != ""
	}

	projects, lastIndex := map[uuid.UUID]int64{}, map[uuid.UUID]int{}
	var others, responses []surveyevent.Event
	for _, e := range events {
		projects[e.Survey], lastIndex[e.Survey] = e.Project, e.Index
		switch {
		case !e.IsResponse():
			others = append(others, e.Event)
		case !open[foldedSubmission{e.Survey, e.Submission}]:
			responses = append(responses, e.Event)
		}
	}

	var folded []Event
	indexes := map[foldKey]int{}
	for _, e := range append(others, surveyevent.Responses(responses)...) {
		key := foldKey{e.Survey, e.Name, e.IsResponse(), e.Archived}
		i, known := indexes[key]
		if !known {
			i = len(folded)
			indexes[key] = i
			folded = append(folded, Event{Event: e, Project: projects[e.Survey], Index: lastIndex[e.Survey]})
			folded[i].Count, folded[i].Submission, folded[i].Properties = 0, "", foldedProperties(key)
		}
		folded[i].Count += e.Count
		if e.At.After(folded[i].At) {
			folded[i].At = e.At
		}
	}
	return folded
}

// foldedProperties are the properties that counted events keep.
func foldedProperties(key foldKey) json.RawMessage {
	if key.response && key.name != surveyevent.Sent {
		return json.RawMessage(`{"$survey_partially_completed":true}`)
	}
	return json.RawMessage("{}")
}

// OfSurvey chooses the events of a survey.
func OfSurvey(s *Survey) func(int64, uuid.UUID) bool {
	return func(_ int64, survey uuid.UUID) bool { return survey == s.ID }
}

// OfProject chooses the events of all surveys of a project.
func OfProject(id int64) func(int64, uuid.UUID) bool {
	return func(project int64, _ uuid.UUID) bool { return project == id }
}
