package surveyevent

import "github.com/google/uuid"

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
