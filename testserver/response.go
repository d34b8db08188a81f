package testserver

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/surveyevent"
)

// response is the short form of events in the fixtures: a number of responses that were sent to
// a survey, each by a person of its own. The survey may be deleted by now.
type response struct {
	survey  uuid.UUID
	project int64
	count   int64
	// at is a JSON string or null.
	at json.RawMessage
	// archived is set for responses that are counted only on request.
	archived bool
	// submission is the id that partial answers of one person share; empty for none.
	submission string
}

// event are the responses as events.
func (r response) event() surveyevent.Event {
	at, _ := field.ParseTimestamp(rawjson.Unquote(r.at))
	return surveyevent.Event{
		Survey: r.survey, Name: surveyevent.Sent, At: at, Count: r.count, Submission: r.submission, Archived: r.archived,
	}
}
