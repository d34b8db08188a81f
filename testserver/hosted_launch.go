package testserver

import (
	"net/http"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// SurveysLaunchCreate starts a survey now, unless it has started.
func (o *operations) SurveysLaunchCreate(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.SurveyID) {
	serveAbout(w, id, (*exchange).survey, stateChange{
		field: "start_date", activity: "launched",
		archived: "Cannot launch an archived survey. Unarchive it first.",
		ended:    "Cannot launch a survey with end_date in the past. Extend the end_date first.",
	}.serve)
}

// SurveysStopCreate ends a survey now, a draft too, unless it has ended.
func (o *operations) SurveysStopCreate(w http.ResponseWriter, _ *http.Request, _ api.ProjectID, id api.SurveyID) {
	serveAbout(w, id, (*exchange).survey, stateChange{
		field: "end_date", activity: "stopped",
		archived: "Cannot stop an archived survey. Unarchive it first if needed.",
	}.serve)
}

// stateChange describes a launch or a stop of a survey.
type stateChange struct {
	// field is the date that is set to now, activity that of the log entry.
	field, activity string
	// archived and ended are the refusals of archived and of ended surveys; empty where
	// there is none.
	archived, ended string
}

// serve launches or stops a survey. Only the date is saved: flags and iterations
// follow with the next update. The response has what the save computed nevertheless.
func (c stateChange) serve(x *exchange, before *store.Survey) (response, *field.Failure) {
	now := x.now()
	if f := c.check(before, now); f != nil {
		return response{}, f
	}
	if passed(before.Text(store.SurveyTable, c.field), now) {
		return x.withSurvey(http.StatusOK, x.profile.traits().surveyReadKeys, before, nil)
	}

	saved := x.store.ChangeSurvey(before, rawjson.Fields{c.field: field.TimestampText(now)})
	x.contents.logChange(c.activity, x.user.ID, saved, changesBetween(x.store, before, saved))

	shown, computed := *saved, saved.Fields()
	setIterations(computed)
	shown.Object = saved.With(store.SurveyTable, computed)
	return x.withSurvey(http.StatusOK, x.profile.traits().surveyReadKeys, &shown, nil)
}

// check refuses to launch or stop a survey that is archived or over.
func (c stateChange) check(s *store.Survey, now time.Time) *field.Failure {
	switch {
	case s.IsTrue(store.SurveyTable, "archived"):
		return field.Invalid("invalid_input", "", c.archived)
	case c.ended != "" && passed(s.Text(store.SurveyTable, "end_date"), now):
		return field.Invalid("invalid_input", "", c.ended)
	}
	return nil
}

// passed reports whether a stored date-time is in the past; null is not.
func passed(date string, now time.Time) bool {
	at, ok := field.ParseTimestamp(date)
	return ok && !at.After(now)
}
