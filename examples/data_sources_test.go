package examples_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// outputs are the outputs of the example of a data source, read from the server of acme.
var outputs = map[string]statecheck.StateCheck{
	"data-sources/posthog_survey/data-source.tf": statecheck.ExpectKnownOutputValue("nps_flag",
		knownvalue.StringRegexp(regexp.MustCompile("^survey-targeting-"))),
	"data-sources/posthog_surveys/data-source.tf": statecheck.ExpectKnownOutputValue("running",
		knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("Quarterly NPS")})),
	"data-sources/posthog_feature_flag/data-source.tf": statecheck.ExpectKnownOutputValue("linked_flag", knownvalue.Int64Exact(7)),
	"data-sources/posthog_cohort/data-source.tf":       statecheck.ExpectKnownOutputValue("asked", knownvalue.StringExact("Beta testers")),
	"data-sources/posthog_project/data-source.tf": statecheck.ExpectKnownOutputValue("organization",
		knownvalue.StringExact("0190a1f0-3f5b-7c41-9d2e-6a1b8c0d4e5f")),
	"data-sources/posthog_pipeline_import_app/data-source.tf": statecheck.ExpectKnownOutputValue("newest_version",
		knownvalue.StringExact("1.5.0")),
	"data-sources/posthog_pipeline_import_apps/data-source.tf": statecheck.ExpectKnownOutputValue("names",
		knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("Help desk tickets")})),
	"data-sources/posthog_survey_responses_count/data-source.tf": statecheck.ExpectKnownOutputValue("responses",
		knownvalue.Int64Exact(120)),
	"data-sources/posthog_survey_activity/data-source.tf": statecheck.ExpectKnownOutputValue("question_edits",
		texts("2026-03-02T09:00:00Z ada@example.com", "2026-03-01T09:00:00Z unknown")),
	"data-sources/posthog_surveys_activity/data-source.tf": statecheck.ExpectKnownOutputValue("deleted",
		knownvalue.ListExact([]knownvalue.Check{knownvalue.ObjectExact(map[string]knownvalue.Check{
			"survey": knownvalue.StringExact("Spring campaign"), "by": knownvalue.Null(), "at": knownvalue.StringExact("2026-03-03T09:00:00Z"),
		})})),
	"data-sources/posthog_pipeline_import_app_source/data-source.tf": statecheck.ExpectKnownOutputValue("files",
		texts("index.ts", "plugin.json")),
	"data-sources/posthog_pipeline_import_app_updates/data-source.tf": statecheck.ExpectKnownOutputValue("update_available",
		knownvalue.Bool(true)),
	"data-sources/posthog_pipeline_import_apps_activity/data-source.tf": statecheck.ExpectKnownOutputValue("installed",
		texts("Help desk tickets")),
	"data-sources/posthog_pipeline_import_apps_repository/data-source.tf": statecheck.ExpectKnownOutputValue("verified",
		texts("https://example.com/geoip")),
	"data-sources/posthog_pipeline_import_apps_unused/data-source.tf": statecheck.ExpectKnownOutputValue("unused",
		knownvalue.ListExact([]knownvalue.Check{knownvalue.Int64Exact(17)})),
	"data-sources/posthog_pipeline_import_apps_exports_unsubscribe_configs/data-source.tf": statecheck.ExpectKnownOutputValue("exporting_projects",
		knownvalue.ListExact([]knownvalue.Check{knownvalue.Int64Exact(12345)})),
}

func texts(want ...string) knownvalue.Check {
	checks := make([]knownvalue.Check, len(want))
	for i, one := range want {
		checks[i] = knownvalue.StringExact(one)
	}
	return knownvalue.ListExact(checks)
}

// edits is a feed of activity: an edit, one by an account that is deleted, and the removal
// of a survey.
var edits = map[string]any{"results": []any{
	map[string]any{
		"activity": "deleted", "item_id": "1", "created_at": "2026-03-03T09:00:00Z", "user": nil,
		"detail": map[string]any{"name": "Spring campaign"},
	},
	map[string]any{
		"activity": "updated", "item_id": "1", "created_at": "2026-03-02T09:00:00Z", "user": map[string]any{"email": "ada@example.com"},
		"detail": map[string]any{"name": "Quarterly NPS", "changes": []any{
			map[string]any{"field": "questions", "before": []any{}, "after": []any{}}, map[string]any{"field": "name", "before": "NPS", "after": "Quarterly NPS"},
		}},
	},
	map[string]any{
		"activity": "updated", "item_id": "1", "created_at": "2026-03-01T09:00:00Z", "user": nil,
		"detail": map[string]any{"name": "Quarterly NPS", "changes": []any{map[string]any{"field": "questions"}}},
	},
}}

// ofHostedService are the examples that the documented service has no answer to.
var ofHostedService = []string{
	"data-sources/posthog_feature_flag/data-source.tf", "data-sources/posthog_cohort/data-source.tf", "data-sources/posthog_project/data-source.tf",
}

// bodies are what the hosted service is known to answer, by operation. The server of acme
// answers these operations as they are documented, without a body; that is what the
// mocked tests of the examples see too.
var bodies = map[string]any{
	"surveys_activity_retrieve":                       edits,
	"surveys_all_activity_retrieve":                   edits,
	"pipeline_import_apps_source_retrieve":            map[string]any{"plugin.json": "{}", "index.ts": "export {}"},
	"pipeline_import_apps_unused_retrieve":            []any{17},
	"pipeline_import_apps_check_for_updates_retrieve": map[string]any{"plugin": map[string]any{"id": 17, "tag": "1.4.0", "latest_tag": "1.5.0"}},
	"pipeline_import_apps_all_activity_retrieve": map[string]any{"results": []any{
		map[string]any{"activity": "uninstalled", "item_id": "18", "detail": map[string]any{"name": "GeoIP"}},
		map[string]any{"activity": "installed", "item_id": "17", "detail": map[string]any{"name": "Help desk tickets"}},
	}},
	"pipeline_import_apps_repository_retrieve": []any{
		map[string]any{"name": "GeoIP", "url": "https://example.com/geoip", "verified": true},
		map[string]any{"name": "Unknown", "url": "https://example.com/unknown"},
	},
	"pipeline_import_apps_exports_unsubscribe_configs_retrieve": []any{
		map[string]any{"id": 5, "plugin": 17, "team_id": 12345}, map[string]any{"id": 6, "plugin": 18, "team_id": 12345},
	},
}

func TestAccExampleDataSources(t *testing.T) {
	t.Parallel()
	for _, file := range glob(t, "data-sources/*/data-source.tf") {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			output, known := outputs[file]
			if !known {
				t.Fatalf("say what %s puts out", file)
			}

			profile := testserver.Documented
			if slices.Contains(ofHostedService, file) {
				profile = testserver.Hosted
			}
			env := acme(t, acctest.Profile(profile))
			var answers []testserver.Fault
			for operation, body := range bodies {
				answers = append(answers, testserver.Fault{Operation: operation, Status: 200, Body: body})
			}
			env.SetFaults(answers...)
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: env.Factories(),
				Steps: []resource.TestStep{{
					Config:            read(t, file),
					ConfigStateChecks: []statecheck.StateCheck{output},
				}},
			})
		})
	}
}
