package surveyevent

import (
	"bytes"
	"encoding/json"
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
