package examples_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// output is an output of an example and its expected value.
type output struct {
	name string
	is   knownvalue.Check
}

// outputs maps each data source to the output of its example on acme's server.
var outputs = map[string]output{
	"posthog_survey":                 {"nps_flag", knownvalue.StringRegexp(regexp.MustCompile("^survey-targeting-"))},
	"posthog_surveys":                {"running", knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("Quarterly NPS")})},
	"posthog_feature_flag":           {"linked_flag", knownvalue.Int64Exact(7)},
	"posthog_cohort":                 {"asked", knownvalue.StringExact("Beta testers")},
	"posthog_project":                {"organization", knownvalue.StringExact("0190a1f0-3f5b-7c41-9d2e-6a1b8c0d4e5f")},
	"posthog_pipeline_import_app":    {"newest_version", knownvalue.StringExact("1.5.0")},
	"posthog_pipeline_import_apps":   {"names", knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("Help desk tickets")})},
	"posthog_survey_responses_count": {"responses", knownvalue.Int64Exact(120)},
	"posthog_survey_activity":        {"question_edits", texts("2026-03-02T09:00:00Z ada@example.com", "2026-03-01T09:00:00Z unknown")},
	"posthog_surveys_activity": {"deleted", knownvalue.ListExact([]knownvalue.Check{knownvalue.ObjectExact(map[string]knownvalue.Check{
		"survey": knownvalue.StringExact("Spring campaign"), "by": knownvalue.Null(), "at": knownvalue.StringExact("2026-03-03T09:00:00Z"),
	})})},
	"posthog_pipeline_import_app_source":                       {"files", texts("index.ts", "plugin.json")},
	"posthog_pipeline_import_app_updates":                      {"update_available", knownvalue.Bool(true)},
	"posthog_pipeline_import_apps_activity":                    {"installed", texts("Help desk tickets")},
	"posthog_pipeline_import_apps_repository":                  {"verified", texts("https://example.com/geoip")},
	"posthog_pipeline_import_apps_unused":                      {"unused", knownvalue.ListExact([]knownvalue.Check{knownvalue.Int64Exact(17)})},
	"posthog_pipeline_import_apps_exports_unsubscribe_configs": {"exporting_projects", knownvalue.ListExact([]knownvalue.Check{knownvalue.Int64Exact(12345)})},
}

func texts(want ...string) knownvalue.Check {
	checks := make([]knownvalue.Check, len(want))
	for i, one := range want {
		checks[i] = knownvalue.StringExact(one)
	}
	return knownvalue.ListExact(checks)
}

// edits is an activity feed with an edit, an edit by a deleted account, and the deletion of a survey.
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

// ofHostedService contains the data sources to which the documented profile cannot respond.
var ofHostedService = []string{"posthog_feature_flag", "posthog_cohort", "posthog_project"}

// bodies maps operations to responses as PostHog sends them. Acme's server responds to these operations without a
// body, as documented. The examples' mocked tests receive the same responses.
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

// The examples are modules of one configuration, because starting a CLI takes longer than reading them.
func TestAccExampleDataSources(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			w := openWorkspace(t, "data-sources", acctest.Profile(profile))
			var answers []testserver.Fault
			for operation, body := range bodies {
				answers = append(answers, testserver.Fault{Operation: operation, Status: 200, Body: body})
			}
			w.env.SetFaults(answers...)

			var modules strings.Builder
			var checks []statecheck.StateCheck
			for _, folder := range glob(t, "data-sources/*") {
				name := path.Base(folder)
				if slices.Contains(ofHostedService, name) != (profile == testserver.Hosted) {
					continue
				}
				output, known := outputs[name]
				require.True(t, known, "the test does not contain the expected output of %s. Add it", folder)
				fmt.Fprintf(&modules, "module %q {\n  source = \"./%[1]s\"\n}\noutput %[1]q {\n  value = module.%[1]s.%[2]s\n}\n", name, output.name)
				checks = append(checks, statecheck.ExpectKnownOutputValue(name, output.is))
				require.NoError(t, os.WriteFile(filepath.Join(w.dir, name, "versions.tf"), []byte(required), 0o600))
			}
			require.NoError(t, os.WriteFile(filepath.Join(w.dir, "main.tf"), []byte(modules.String()), 0o600))

			w.run("get")
			w.run("apply", "-auto-approve")
			var state tfjson.State
			state.UseJSONNumber(true)
			require.NoError(t, state.UnmarshalJSON([]byte(w.run("show", "-json"))))
			for _, check := range checks {
				var found statecheck.CheckStateResponse
				check.CheckState(t.Context(), statecheck.CheckStateRequest{State: &state}, &found)
				assert.NoError(t, found.Error)
			}
		})
	}
}
