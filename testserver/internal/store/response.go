package store

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/surveyevent"
)

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
	at, _ := field.ParseTimestamp(rawjson.Unquote(r.At))
	return surveyevent.Event{
		Survey: r.Survey, Name: surveyevent.Sent, At: at, Count: r.Count, Submission: r.Submission, Archived: r.Archived,
	}
}
