package store

import (
	"encoding/json"
	"time"

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

// ResponsesUntil is the number of responses that were sent to a survey from its creation until a
// time. What was filled in before a survey was closed does not count for its limit.
func (st *Store) ResponsesUntil(s *Survey, now time.Time) int64 {
	lifetime := surveyevent.Window{From: time.UnixMicro(s.At), To: now}
	return surveyevent.Submissions(surveyevent.In(st.SurveyEvents(OfSurvey(s)), lifetime))
}

// ResponsesBySurvey are the numbers of responses, archived ones too.
func (st *Store) ResponsesBySurvey() map[uuid.UUID]int64 {
	counts := map[uuid.UUID]int64{}
	everywhere := func(int64, uuid.UUID) bool { return true }
	for _, r := range surveyevent.Responses(st.SurveyEvents(everywhere)) {
		counts[r.Survey] += r.Count
	}
	return counts
}

// ResponsesTo is the number of responses to a survey.
func (st *Store) ResponsesTo(s *Survey) int64 {
	var count int64
	for _, r := range surveyevent.Responses(st.SurveyEvents(OfSurvey(s))) {
		count += r.Count
	}
	return count
}
