// Package surveyevent counts what people did with surveys as the hosted service does: how
// often surveys were shown, dismissed and answered, by how many persons, and what they
// answered to each question. It knows events alone; where they are kept, and which survey or
// window a request asks for, is not its business.
package surveyevent

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Name is the name of an event.
type Name string

// The events of surveys.
const (
	Shown     Name = "survey shown"
	Dismissed Name = "survey dismissed"
	Sent      Name = "survey sent"
	Abandoned Name = "survey abandoned"
)

// Names are the events of surveys.
var Names = []Name{Shown, Dismissed, Sent, Abandoned}

// Event is something that happened to a survey.
type Event struct {
	UUID   uuid.UUID
	Survey uuid.UUID
	Name   Name
	// At is zero for an event without a time: it is in every window, and the latest of its
	// submission.
	At time.Time
	// Person identifies who did it, across distinct ids; empty if nobody else's events are
	// that person's.
	Person string
	// Count is the number of such events, each of a person of its own; 1 with a Person.
	Count int64
	// Properties are a JSON object, or nothing.
	Properties json.RawMessage
	// Submission is the id that the events of one response share; empty for none.
	Submission string
	// Archived is set for a response that is counted only on request.
	Archived bool
}

// IsResponse reports whether an event is a response: one that was sent, or what was filled in
// when the survey was dismissed or abandoned.
func (e Event) IsResponse() bool {
	isClosing := e.Name == Dismissed || e.Name == Abandoned
	return e.Name == Sent || isClosing && e.isPartial()
}

// isPartial reports whether a closed survey was partly filled in. SDKs send true, some as a
// string.
func (e Event) isPartial() bool {
	value := string(rawjson.Lookup(e.Properties, "$survey_partially_completed"))
	return value == "true" || value == `"true"`
}

// isDismissal reports whether the survey was dismissed without a response.
func (e Event) isDismissal() bool { return e.Name == Dismissed && !e.isPartial() }

// isBefore reports whether an event happened earlier than another; at the same time, the ids
// decide.
func (e Event) isBefore(other Event) bool {
	switch {
	case e.At.IsZero() || other.At.IsZero():
		return !e.At.IsZero()
	case e.At.Equal(other.At):
		return bytes.Compare(e.UUID[:], other.UUID[:]) < 0
	}
	return e.At.Before(other.At)
}

// Window is the time in which events are counted, both ends included; a zero end is none.
type Window struct{ From, To time.Time }

// Holds reports whether a window holds an event.
func (w Window) Holds(e Event) bool {
	return e.At.IsZero() || (w.From.IsZero() || !e.At.Before(w.From)) && (w.To.IsZero() || !e.At.After(w.To))
}

// Within returns the window inside both of two.
func (w Window) Within(other Window) Window {
	if w.From.Before(other.From) {
		w.From = other.From
	}
	if w.To.IsZero() || !other.To.IsZero() && other.To.Before(w.To) {
		w.To = other.To
	}
	return w
}

// In returns the events that a window holds.
func In(events []Event, w Window) []Event {
	held := make([]Event, 0, len(events))
	for _, e := range events {
		if w.Holds(e) {
			held = append(held, e)
		}
	}
	return held
}

// Responses returns the responses among events, in their order. Of the events of one
// submission to a survey, the latest counts; without an id of a submission each event is one.
func Responses(events []Event) []Event {
	type submission struct {
		survey uuid.UUID
		id     string
	}

	latest := map[submission]int{}
	var responses []Event
	for _, e := range events {
		if !e.IsResponse() {
			continue
		}

		key := submission{e.Survey, e.Submission}
		i, known := latest[key]
		switch {
		case e.Submission == "":
			responses = append(responses, e)
		case !known:
			latest[key] = len(responses)
			responses = append(responses, e)
		case !e.isBefore(responses[i]):
			responses[i] = e
		}
	}
	return responses
}

// Submissions is the number of responses among events that were sent: closed surveys that were
// partly filled in do not count.
func Submissions(events []Event) int64 {
	sent := make([]Event, 0, len(events))
	for _, e := range events {
		if e.Name == Sent {
			sent = append(sent, e)
		}
	}

	var count int64
	for _, e := range Responses(sent) {
		count += e.Count
	}
	return count
}

// Stats are the numbers of events and persons by event.
type Stats struct{ Shown, Dismissed, Sent EventStats }

// EventStats are the numbers of one event.
type EventStats struct {
	Total, Persons int64
	// OnlySeen are the events, and PersonsOnlySeen the persons, that saw a survey and neither
	// answered nor dismissed it; for surveys shown alone.
	OnlySeen, PersonsOnlySeen int64
	// First and Last are the times of the first and the last event; zero for none.
	First, Last time.Time
}

// Count counts events. Archived ones are left out if asked, but hide the earlier events of
// their submission all the same.
func Count(events []Event, excludeArchived bool) Stats {
	var stats Stats
	shown, dismissed, sent := newTally(), newTally(), newTally()
	dismissals, responses := map[string]bool{}, map[string]bool{}

	for _, e := range events {
		if excludeArchived && e.Archived {
			continue
		}
		switch {
		case e.Name == Shown:
			shown.add(e)
		case e.isDismissal():
			dismissed.add(e)
			dismissals[e.Person] = true
		case e.IsResponse():
			responses[e.Person] = true
		}
	}

	for _, e := range Responses(events) {
		if !excludeArchived || !e.Archived {
			sent.add(e)
		}
	}

	stats.Shown, stats.Dismissed, stats.Sent = shown.stats(), dismissed.stats(), sent.stats()
	stats.Dismissed.Persons = max(0, stats.Dismissed.Persons-both(dismissals, responses))
	stats.Shown.OnlySeen = max(0, stats.Shown.Total-stats.Dismissed.Total-stats.Sent.Total)
	stats.Shown.PersonsOnlySeen = max(0, stats.Shown.Persons-stats.Dismissed.Persons-stats.Sent.Persons)
	return stats
}

// both is the number of persons in two sets.
func both(some, others map[string]bool) int64 {
	var count int64
	for person := range some {
		if person != "" && others[person] {
			count++
		}
	}
	return count
}

// tally adds up the numbers of one event.
type tally struct {
	EventStats
	persons map[string]bool
}

func newTally() *tally { return &tally{persons: map[string]bool{}} }

func (t *tally) add(e Event) {
	t.Total += e.Count
	if e.Person == "" {
		t.Persons += e.Count
	} else {
		t.persons[e.Person] = true
	}

	if e.At.IsZero() {
		return
	}
	if t.First.IsZero() || e.At.Before(t.First) {
		t.First = e.At
	}
	if e.At.After(t.Last) {
		t.Last = e.At
	}
}

func (t *tally) stats() EventStats {
	t.Persons += int64(len(t.persons))
	return t.EventStats
}

// Rates are percentages of the surveys that were shown, with two decimals.
type Rates struct{ Response, Dismissal, PersonsResponse, PersonsDismissal float64 }

// Rates returns the rates of these numbers, all 0 when nothing was shown.
func (s Stats) Rates() Rates {
	if s.Shown.Total == 0 {
		return Rates{}
	}
	return Rates{
		Response:         percent(s.Sent.Total, s.Shown.Total),
		Dismissal:        percent(s.Dismissed.Total, s.Shown.Total),
		PersonsResponse:  percent(s.Sent.Persons, s.Shown.Persons),
		PersonsDismissal: percent(s.Dismissed.Persons, s.Shown.Persons),
	}
}

// percent is a share with two decimals, rounded as the service rounds: by the exact value of
// the binary fraction.
func percent(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(float64(part)/float64(whole)*100, 'f', 2, 64), 64)
	if err != nil {
		return math.NaN()
	}
	return rounded
}
