package framework_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

type object = map[string]any

const fixtures = `{
	"projects": [
		{"id": 1, "organization_id": "` + testserver.DefaultOrganizationID + `", "name": "Production", "surveys_opt_in": true},
		{"id": 2, "organization_id": "` + testserver.DefaultOrganizationID + `", "name": "Staging"}
	],
	"feature_flags": [
		{"id": 7, "project_id": 1, "key": "beta-checkout", "name": "New checkout", "active": true, "filters": {"groups": [{"properties": [], "rollout_percentage": 40}]}},
		{"id": 8, "project_id": 1, "key": "beta-checkout-2", "name": "beta-checkout again", "active": false},
		{"id": 9, "project_id": 1, "key": "gone", "deleted": true},
		{"id": 70, "project_id": 2, "key": "beta-checkout"}
	],
	"cohorts": [
		{"id": 3, "project_id": 1, "name": "Beta testers", "is_static": true, "members": []},
		{"id": 4, "project_id": 1, "name": "Paying", "filters": {"properties": {"type": "AND", "values": []}}}
	]
}`

func hosted(t *testing.T) *acctest.Env {
	t.Helper()
	return acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(fixtures))
}

// A flag is found by its exact key in one request, although PostHog also finds parts of keys and names. It is found
// only in its own project. It is also found by ID, even if it is deleted.
func TestFeatureFlag(t *testing.T) {
	t.Parallel()
	env := hosted(t)
	flag, diags := env.ReadDataSource(t, "posthog_feature_flag", object{"key": "beta-checkout"})
	require.Empty(t, diags.Text())
	assert.EqualValues(t, 7, flag["id"])
	assert.Equal(t, "New checkout", flag["name"])
	assert.Equal(t, true, flag["active"])
	assert.EqualValues(t, 40, flag["rollout_percentage"])
	assert.JSONEq(t, `{"groups":[{"properties":[],"rollout_percentage":40}]}`, flag["filters"].(string))
	assert.Equal(t, map[string]int{"feature_flags_list": 1}, env.Operations())

	other, diags := env.ReadDataSource(t, "posthog_feature_flag", object{"key": "beta-checkout", "project_id": "2"})
	require.Empty(t, diags.Text())
	assert.EqualValues(t, 70, other["id"])

	deleted, diags := env.ReadDataSource(t, "posthog_feature_flag", object{"id": 9})
	require.Empty(t, diags.Text())
	assert.Equal(t, "gone", deleted["key"])
	assert.Equal(t, true, deleted["deleted"])
}

// A missing flag's error is on the argument, and shows where the provider searched and which flags it can't find.
func TestFeatureFlagIsNotThere(t *testing.T) {
	t.Parallel()
	env := hosted(t)
	for key, want := range map[string]string{
		"checkout": "Project 1 does not have a feature flag with this key. Keys must match exactly.",
		"gone":     "Deleted flags, and flags that PostHog created for a survey, can't be found by key.",
	} {
		_, diags := env.ReadDataSource(t, "posthog_feature_flag", object{"key": key})
		require.Len(t, diags, 1, diags.Text())
		assert.Equal(t, `Feature flag "`+key+`" was not found`, diags[0].Summary)
		assert.Contains(t, diags[0].Detail, want)
		assert.Equal(t, `AttributeName("key")`, diags[0].Attribute.String())
	}

	_, diags := env.ReadDataSource(t, "posthog_feature_flag", object{"id": 70})
	assert.Contains(t, diags.Text(), "Could not read feature flag 70")
	assert.Contains(t, diags.Text(), "the object was deleted, or belongs to another project")
	for _, config := range []object{{}, {"id": 7, "key": "beta-checkout"}} {
		_, diags := env.ReadDataSource(t, "posthog_feature_flag", config)
		assert.True(t, diags.HasError(), config)
	}
}

// PostHog doesn't allow two flags with one key. If it returns two, the provider chooses neither.
func TestFeatureFlagIsAmbiguous(t *testing.T) {
	t.Parallel()
	env := hosted(t)
	env.SetFaults(testserver.Fault{Operation: "feature_flags_list", Status: http.StatusOK, Body: object{
		"count": 2, "next": nil, "previous": nil, "results": []any{object{"id": 7, "key": "a"}, object{"id": 8, "key": "a"}},
	}})
	_, diags := env.ReadDataSource(t, "posthog_feature_flag", object{"key": "a"})
	require.Len(t, diags, 1, diags.Text())
	assert.Equal(t, `Several feature flags have the key "a"`, diags[0].Summary)
	assert.Contains(t, diags[0].Detail, "the flags with the IDs 7, 8")
}

// A flag on a later page is found.
func TestFeatureFlagOnALaterPage(t *testing.T) {
	t.Parallel()
	env := hosted(t)
	env.SetFaults(testserver.Fault{Operation: "feature_flags_list", To: 1, Status: http.StatusOK, Body: object{
		"count": 2, "next": env.URL + "/api/projects/1/feature_flags/?limit=1&offset=1&search=beta-checkout", "previous": nil, "results": []any{object{"id": 8, "key": "beta-checkout-2"}},
	}})
	flag, diags := env.ReadDataSource(t, "posthog_feature_flag", object{"key": "beta-checkout"})
	require.Empty(t, diags.Text())
	assert.EqualValues(t, 7, flag["id"])
}

func TestCohort(t *testing.T) {
	t.Parallel()
	env := hosted(t)
	static, diags := env.ReadDataSource(t, "posthog_cohort", object{"id": 3})
	require.Empty(t, diags.Text())
	assert.Equal(t, "Beta testers", static["name"])
	assert.Equal(t, true, static["is_static"])

	dynamic, diags := env.ReadDataSource(t, "posthog_cohort", object{"id": 4})
	require.Empty(t, diags.Text())
	assert.JSONEq(t, `{"properties":{"type":"AND","values":[]}}`, dynamic["filters"].(string))

	_, diags = env.ReadDataSource(t, "posthog_cohort", object{"id": 5})
	assert.Contains(t, diags.Text(), "Could not read cohort 5")
}

func TestProject(t *testing.T) {
	t.Parallel()
	env := hosted(t)
	for name, config := range map[string]object{"Production": {}, "Staging": {"id": 2}} {
		project, diags := env.ReadDataSource(t, "posthog_project", config)
		require.Empty(t, diags.Text())
		assert.Equal(t, name, project["name"])
		assert.Equal(t, testserver.DefaultOrganizationID, project["organization_id"])
		assert.Equal(t, name == "Production", project["surveys_opt_in"])
	}
	_, diags := env.ReadDataSource(t, "posthog_project", object{"id": 99})
	assert.Contains(t, diags.Text(), "Could not read project 99")
}

// If a service lacks these routes, its error differs from a missing object's.
func TestServiceWithoutNeighbours(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	for typeName, c := range map[string]struct {
		config object
		want   string
	}{
		"posthog_feature_flag": {object{"key": "beta"}, "This PostHog instance does not serve feature flags to API keys"},
		"posthog_cohort":       {object{"id": 3}, "This PostHog instance does not serve cohorts to API keys"},
		"posthog_project":      {object{}, "This PostHog instance does not serve projects to API keys"},
	} {
		_, diags := env.ReadDataSource(t, typeName, c.config)
		assert.Contains(t, diags.Text(), c.want, typeName)
	}
}

// A Terraform configuration links a survey to a flag by its key, and the provider checks the cohort in its filters.
func TestAccSurveyRefersByName(t *testing.T) {
	t.Parallel()
	env := hosted(t)
	config, err := os.ReadFile("testdata/linked.tf")
	require.NoError(t, err)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps: []resource.TestStep{{
			Config: string(config),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue("posthog_survey.beta", tfjsonpath.New("linked_flag_id"), knownvalue.Int64Exact(7)),
				statecheck.ExpectKnownOutputValue("switched_on", knownvalue.Bool(true)),
			},
		}, {
			Config: string(config), PlanOnly: true,
		}},
	})
}
