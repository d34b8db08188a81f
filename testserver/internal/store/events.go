package store

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/surveyevent"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
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

// MaxEventBytes is the memory that the events of a store may take.
const MaxEventBytes = 64 << 20

// eventOverhead is about the memory that an event takes besides its texts.
const eventOverhead = 256

// weight is an estimate of the memory that an event takes.
func (e *Event) weight() int {
	return eventOverhead + len(e.DistinctID) + len(e.Submission) + len(e.Properties)
}

// eventLog has events in the order of their arrival. Beyond a number of them, or what memory
// they may take, the oldest are only counted: several become one, with their number, at the time
// of the last.
type eventLog struct {
	events []Event
	max    int
	// folded is the number of events at the beginning that stand for several, bytes the weight of
	// the others.
	folded, bytes int
	// known are the ids of all events that are kept; nil when they are not collected yet.
	known map[uuid.UUID]bool
}

func newEventLog(maxEvents int) eventLog { return eventLog{max: maxEvents} }

// clone returns a log that changes independently of this one.
func (l eventLog) clone() eventLog {
	l.events = append([]Event(nil), l.events...)
	l.known = nil
	return l
}

// add adds an event, unless it is there already. When there are too many, a quarter of them is
// folded at once, so that an event costs the same however many there are.
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
	if len(l.events)-l.folded > l.max || l.bytes > MaxEventBytes {
		l.shrink()
	}
	return true
}

// collect collects the ids of all events.
func (l *eventLog) collect() {
	l.known = make(map[uuid.UUID]bool, len(l.events))
	for _, e := range l.events {
		l.known[e.UUID] = true
	}
}

// shrink folds the oldest events: as many as leave room for a quarter.
func (l *eventLog) shrink() {
	n := l.folded
	for n < len(l.events) && (len(l.events)-n > l.max-l.max/4 || l.bytes > MaxEventBytes/4*3) {
		l.bytes -= l.events[n].weight()
		n++
	}

	kept := l.events[n:]
	folded := fold(l.events[:n], kept)
	l.events = append(folded, kept...)
	l.folded = len(folded)
	l.collect()
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

// ResponseCount is the short form of events in the fixtures: a number of responses that were sent to
// a survey, each by a person of its own. The survey may be deleted by now.
type ResponseCount struct {
	Survey  uuid.UUID
	Project int64
	Count   int64
	// At is a JSON string or null.
	At json.RawMessage
	// Archived is set for responses that are counted only on request.
	Archived bool
	// Submission is the id that partial answers of one person share; empty for none.
	Submission string
}

// event are the responses as events.
func (r ResponseCount) event() surveyevent.Event {
	at, _ := wire.ParseTimestamp(rawjson.Unquote(r.At))
	return surveyevent.Event{
		Survey: r.Survey, Name: surveyevent.Sent, At: at, Count: r.Count, Submission: r.Submission, Archived: r.Archived,
	}
}
