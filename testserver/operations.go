package testserver

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// handler does the work of an operation, with the store locked and the caller authorized. It
// returns the response, or the failure with which it refuses the request.
type handler func(x *exchange) (response, *wire.Failure)

// handlers are the handlers of the operations of the document, by their ids.
var handlers = map[string]handler{
	"surveys_list":                        listSurveys,
	"surveys_create":                      createSurvey,
	"surveys_retrieve":                    aboutSurvey(retrieveSurvey),
	"surveys_update":                      aboutSurvey(updateSurvey),
	"surveys_partial_update":              aboutSurvey(updateSurvey),
	"surveys_destroy":                     aboutSurvey(deleteSurvey),
	"surveys_activity_retrieve":           surveyActivity,
	"surveys_all_activity_retrieve":       func(x *exchange) (response, *wire.Failure) { return x.activity(nil) },
	"surveys_responses_count_retrieve":    countResponses,
	"surveys_stats_retrieve":              aboutSurvey(surveyStatistics),
	"surveys_all_stats_retrieve":          projectStatistics,
	"surveys_launch_create":               aboutSurvey(launching.serve),
	"surveys_stop_create":                 aboutSurvey(stopping.serve),
	"pipeline_import_apps_list":           listApps,
	"pipeline_import_apps_create":         createApp,
	"pipeline_import_apps_retrieve":       aboutApp(retrieveApp),
	"pipeline_import_apps_update":         aboutApp(updateApp),
	"pipeline_import_apps_partial_update": aboutApp(updateApp),
	"pipeline_import_apps_destroy":        aboutApp(deleteApp),

	// The document has no response body for the further operations on apps and no effect on stored
	// data, so they check the caller and the request.
	"pipeline_import_apps_check_for_updates_retrieve":           aboutApp(withoutBody),
	"pipeline_import_apps_source_retrieve":                      aboutApp(withoutBody),
	"pipeline_import_apps_update_source_partial_update":         aboutApp(checkedWithoutBody),
	"pipeline_import_apps_upgrade_create":                       aboutApp(checkedWithoutBody),
	"pipeline_import_apps_all_activity_retrieve":                emptyBody,
	"pipeline_import_apps_exports_unsubscribe_configs_retrieve": emptyBody,
	"pipeline_import_apps_repository_retrieve":                  emptyBody,
	"pipeline_import_apps_unused_retrieve":                      emptyBody,

	"feature_flags_list":           listFlags,
	"feature_flags_create":         createFlag,
	"feature_flags_retrieve":       aboutFlag(retrieveFlag),
	"feature_flags_partial_update": aboutFlag(updateFlag),

	"projects_retrieve":                  retrieveProject,
	"cohorts_retrieve":                   retrieveCohort,
	"users_me_retrieve":                  retrieveMe,
	"personal_api_keys_current_retrieve": retrieveKey,
}

// aboutSurvey is the handler of a request about a survey.
func aboutSurvey(handle func(*exchange, *store.Survey) (response, *wire.Failure)) handler {
	return func(x *exchange) (response, *wire.Failure) {
		s, f := x.survey()
		if f != nil {
			return response{}, f
		}
		return handle(x, s)
	}
}

// survey finds the survey of a request. An id of the wrong form is not found either, nor is one
// that the query of the request leaves out: the filters of the list act on it, too.
func (x *exchange) survey() (*store.Survey, *wire.Failure) {
	parsed, err := uuid.Parse(x.value("id"))
	s := x.store.Survey(parsed)
	if err != nil || s == nil || s.Project != x.project.ID {
		return nil, wire.ObjectNotFound()
	}
	filter, f := x.readFilter()
	if f == nil && !filter.keeps(s) {
		f = wire.ObjectNotFound()
	}
	return s, f
}

// aboutApp is the handler of a request about an app that the organization can see.
func aboutApp(handle func(*exchange, *store.App) (response, *wire.Failure)) handler {
	return func(x *exchange) (response, *wire.Failure) {
		a, f := x.app()
		if f != nil {
			return response{}, f
		}
		return handle(x, a)
	}
}

func (x *exchange) app() (*store.App, *wire.Failure) {
	id, err := x.number()
	if err != nil && x.profile.breaks && strings.Trim(x.value("id"), "0123456789") != "" {
		// The service fails for an id that is no number.
		return nil, wire.ServerError()
	}
	a := x.store.Apps.Get(id)
	if err != nil || a == nil || !x.profile.sees(x.organization, a) {
		return nil, wire.ObjectNotFound()
	}
	return a, nil
}

// aboutFlag is the handler of a request about a flag of the project.
func aboutFlag(handle func(*exchange, *store.Flag) (response, *wire.Failure)) handler {
	return func(x *exchange) (response, *wire.Failure) {
		id, err := x.number()
		found := x.store.Flags.Get(id)
		if err != nil || found == nil || found.Project != x.project.ID {
			return response{}, wire.ObjectNotFound()
		}
		return handle(x, found)
	}
}

// number is the id in the path, where ids are numbers.
func (x *exchange) number() (int64, error) { return strconv.ParseInt(x.value("id"), 10, 64) }

// value is a parameter of the path; empty for one that the path has not.
func (x *exchange) value(name string) string { return valueOf(x.values, name) }

func valueOf(values []pathValue, name string) string {
	for _, v := range values {
		if v.name == name {
			return v.value
		}
	}
	return ""
}

// emptyBody is the response of an operation without effect and without a body.
func emptyBody(*exchange) (response, *wire.Failure) {
	return response{status: http.StatusOK}, nil
}
