package service

import (
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// handlers maps operation IDs of the OpenAPI document to handlers.
var handlers = map[string]handler{
	"surveys_list":                        listSurveys,
	"surveys_create":                      createSurvey,
	"surveys_retrieve":                    aboutSurvey(retrieveSurvey),
	"surveys_update":                      aboutSurvey(updateSurvey),
	"surveys_partial_update":              aboutSurvey(updateSurvey),
	"surveys_destroy":                     aboutSurvey(deleteSurvey),
	"surveys_activity_retrieve":           surveyActivity,
	"surveys_all_activity_retrieve":       func(x *Call) (wire.Response, *wire.Failure) { return x.activity(nil) },
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

	// The document describes no response body for these operations, and they don't change stored data. The
	// test server checks only the caller and the request.
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

	"actions_create":                     createAction,
	"actions_retrieve":                   retrieveAction,
	"actions_partial_update":             updateAction,
	"projects_retrieve":                  retrieveProject,
	"projects_partial_update":            updateProject,
	"cohorts_retrieve":                   retrieveCohort,
	"users_me_retrieve":                  retrieveMe,
	"personal_api_keys_current_retrieve": retrieveKey,
}

// emptyBody responds without a body.
func emptyBody(*Call) (wire.Response, *wire.Failure) {
	return wire.Response{Status: http.StatusOK}, nil
}
