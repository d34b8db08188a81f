package store

import (
	"bytes"

	"github.com/google/uuid"
)

// IsResponse reports whether an event is a response: a submitted survey, or one that was dismissed or abandoned
// with answers.
func (e Event) IsResponse() bool {
	isClosing := e.Name == Dismissed || e.Name == Abandoned
	return e.Name == Sent || isClosing && e.IsPartial()
}

// IsPartial reports whether a dismissed or abandoned survey has answers. Some SDKs send the property as a string
// instead of true.
func (e Event) IsPartial() bool {
	value := e.Properties.Get("$survey_partially_completed").Spelling()
	return value == "true" || value == `"true"`
}

// IsDismissal reports whether a person dismissed the survey without a response.
func (e Event) IsDismissal() bool { return e.Name == Dismissed && !e.IsPartial() }

// IsBefore reports whether an event is earlier than second. For equal times, it compares the IDs.
func (e Event) IsBefore(second Event) bool {
	switch {
	case e.At.IsZero() || second.At.IsZero():
		return !e.At.IsZero()
	case e.At.Equal(second.At):
		return bytes.Compare(e.UUID[:], second.UUID[:]) < 0
	}
	return e.At.Before(second.At)
}

// Responses returns the responses among events, in their order. Of the events of a submission to a survey, it returns
// the latest. An event without a submission ID is its own submission.
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
		i, isKnown := latest[key]
		switch {
		case e.Submission == "":
			responses = append(responses, e)
		case !isKnown:
			latest[key] = len(responses)
			responses = append(responses, e)
		case !e.IsBefore(responses[i]):
			responses[i] = e
		}
	}
	return responses
}

// Submissions returns the number of submitted surveys among events. Dismissed and abandoned surveys with
// answers don't count.
func Submissions(events []Event) int64 {
	responses := make([]Event, 0, len(events))
	for _, e := range events {
		if e.Name == Sent {
			responses = append(responses, e)
		}
	}

	var count int64
	for _, e := range Responses(responses) {
		count += e.Count
	}
	return count
}
