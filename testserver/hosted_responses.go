package testserver

import (
	"slices"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/surveyevent"
)

// countResponses adds up the responses of the selected surveys of a project, since
// the earliest start of any of its surveys. Archived ones count unless the request excludes
// them.
func (hostedProfile) countResponses(x *exchange) (response, *field.Failure) {
	st := x.store
	start, ok := firstStart(st, x.project.ID)
	query := x.request.URL.Query()
	var named []string
	for id := range strings.SplitSeq(last(query["survey_ids"]), ",") {
		if id = strings.TrimSpace(id); id != "" {
			named = append(named, id)
		}
	}

	var events []surveyevent.Event
	for _, e := range st.SurveyEvents(store.OfProject(x.project.ID)) {
		if e.At.IsZero() {
			e.At = x.now()
		}
		events = append(events, e)
	}

	excludeArchived := isPythonTrue(last(query["exclude_archived"]))
	left := func(r surveyevent.Event) bool {
		return !ok || excludeArchived && r.Archived || named != nil && !slices.Contains(named, r.Survey.String())
	}
	responses := surveyevent.Responses(surveyevent.In(events, surveyevent.Window{From: start}))
	return x.withResponses(slices.DeleteFunc(responses, left)), nil
}

// isPythonTrue reports whether a parameter is true, in any letter case; all else is false.
func isPythonTrue(parameter string) bool { return strings.EqualFold(parameter, "true") }

// firstStart is the earliest start_date of all surveys of a project; not ok if none has
// one.
func firstStart(st *store.Store, project int64) (start time.Time, ok bool) {
	for _, s := range st.SurveysOf(project).Items {
		at, started := field.ParseTimestamp(s.Text(store.SurveyTable, "start_date"))
		if started && (!ok || at.Before(start)) {
			start, ok = at, true
		}
	}
	return start, ok
}
