package terraform_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// foresightFixtures are the existing objects in PostHog.
const foresightFixtures = `{
	"projects": [{"id": "1"}, {"id": "2"}],
	"api_keys": [
		{"key": "phx_all", "scopes": ["*"]},
		{"key": "phx_surveys", "scopes": ["survey:read", "survey:write"]},
		{"key": "phx_read", "scopes": ["survey:read"]},
		{"key": "phx_actions", "scopes": ["action:read"]},
		{"key": "phx_other", "scopes": ["*"], "project_ids": ["2"]}
	],
	"feature_flags": [
		{"id": 7, "project_id": "1", "key": "plain"},
		{"id": 8, "project_id": "1", "key": "varied", "filters": {"groups": [], "multivariate": {"variants": [
			{"key": "a", "rollout_percentage": 50}, {"key": "b", "rollout_percentage": 50}]}}}
	],
	"surveys": [{"project_id": "1", "id": "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d", "name": "Taken", "type": "api"}]
}`

// planNew plans a survey's create in the hosted profile, and returns the diagnostics and the request counts.
func planNew(t *testing.T, environment map[string]string, config object) (acctest.Diagnostics, map[string]int) {
	t.Helper()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(foresightFixtures))
	env.Environment["POSTHOG_API_KEY"] = "phx_all"
	for name, value := range environment {
		if name == "PATH" {
			env.Environment["POSTHOG_BASE_URL"] += value
			continue
		}
		env.Environment[name] = value
	}
	diags := env.Resource(t, "posthog_survey").Plan(with(config)).Diagnostics
	assert.NotContains(t, env.Operations(), "surveys_create")
	return diags, env.Operations()
}

func TestPlanOfCreateReportsWhatPostHogWouldRefuse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		environment map[string]string
		config      object
		want        []string
	}{
		"wrong key":            {map[string]string{"POSTHOG_API_KEY": "phx_wrong"}, nil, []string{"The create would fail", "401", "POSTHOG_API_KEY"}},
		"read-only key":        {map[string]string{"POSTHOG_API_KEY": "phx_read"}, nil, []string{"lacks the scope survey:write", "Its scopes are: survey:read"}},
		"no scope for surveys": {map[string]string{"POSTHOG_API_KEY": "phx_actions"}, nil, []string{"The create would fail", "403", "survey:read"}},
		"key of other project": {map[string]string{"POSTHOG_API_KEY": "phx_other"}, nil, []string{"The create would fail", "403", "project"}},
		"URL with a path":      {map[string]string{"PATH": "/project/1"}, nil, []string{"The create would fail", "404", "base_url"}},
		"unknown project":      {map[string]string{"POSTHOG_PROJECT_ID": "99"}, nil, []string{"The create would fail", "404", "Project not found"}},
		"unknown linked flag":  {nil, object{"linked_flag_id": 99}, []string{"Feature flag 99 does not exist", "linked_flag_id = 99"}},
		"unknown target flag":  {nil, object{"targeting_flag_id": 99}, []string{"Feature flag 99 does not exist", "targeting_flag_id = 99"}},
		"unknown variant":      {nil, object{"linked_flag_id": 8, "conditions": `{"linkedFlagVariant":"c"}`}, []string{`lacks the variant "c"`, "are a, b"}},
		"flag without variant": {nil, object{"linked_flag_id": 7, "conditions": `{"linkedFlagVariant":"c"}`}, []string{`lacks the variant "c"`, "has no variants"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			diags, operations := planNew(t, c.environment, c.config)
			require.Len(t, diags.Errors(), 1, diags.Text())
			for _, text := range c.want {
				assert.Contains(t, diags.Errors().Text(), text)
			}
			requests := 0
			for _, n := range operations {
				requests += n
			}
			assert.LessOrEqual(t, requests, 3)
		})
	}
}

// A name that exists in PostHog is only a warning, because the same apply may free it before the create.
func TestPlanOfCreateWarnsOfATakenName(t *testing.T) {
	t.Parallel()
	diags, _ := planNew(t, nil, object{"name": "Taken"})
	assert.Empty(t, diags.Errors().Text())
	assert.Contains(t, diags.Text(), `The name "Taken" is taken in project 1`)
	assert.Contains(t, diags.Text(), `id = "1/018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d"`)
}

// A name is free if the same run renames or deletes the survey that has it, as Terraform does for -replace.
func TestPlanOfCreateAcceptsAFreedName(t *testing.T) {
	t.Parallel()
	for name, free := range map[string]func(o *acctest.Resource){
		"renamed": func(o *acctest.Resource) { o.Plan(with(object{"name": "Renamed"})) },
		"deleted": func(o *acctest.Resource) { o.PlanDestroy() },
		"":        func(o *acctest.Resource) { o.Plan(with(object{"name": "Taken", "description": "edited"})) },
	} {
		env := acctest.Start(t, acctest.Profile(testserver.Hosted))
		taken := env.CreateSurvey(testserver.Object{"name": "Taken", "type": "popover"})
		surveys := env.Resources(t, "posthog_survey", 2)
		require.Empty(t, surveys[0].Import("1/"+taken["id"].(string)).Errors().Text())

		free(surveys[0])
		diags := surveys[1].Plan(with(object{"name": "Taken"})).Diagnostics
		assert.Empty(t, diags.Errors().Text(), name)
		assert.Equal(t, name == "", strings.Contains(diags.Text(), `The name "Taken" is taken`), "%s: %s", name, diags.Text())
	}
}

func TestPlanOfCreateAcceptsWhatIsThere(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]object{
		"nothing": nil, "a flag": {"linked_flag_id": 7}, "a variant": {"linked_flag_id": 8, "conditions": `{"linkedFlagVariant":"a"}`},
		"any variant": {"linked_flag_id": 8, "conditions": `{"linkedFlagVariant":"any"}`},
	} {
		diags, _ := planNew(t, nil, config)
		assert.Empty(t, diags.Text(), name)
	}
	// A key without read permission, or a PostHog that does not respond, doesn't make the plan fail.
	diags, _ := planNew(t, map[string]string{"POSTHOG_API_KEY": "phx_surveys"}, object{"linked_flag_id": 99})
	assert.Empty(t, diags.Text(), "the plan must not fail if the key cannot read feature flags")
}

func TestPlanOfCreateGoesOnWithoutPostHog(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	env.SetFaults(testserver.Fault{Status: 503})
	plan := env.Resource(t, "posthog_survey").Plan(with(nil))
	assert.Empty(t, plan.Diagnostics.Errors().Text())
	assert.Contains(t, plan.Diagnostics.Text(), "Could not check what the plan creates in project 1")
}

// A plan's number of requests doesn't grow with its creates, and a plan without creates checks nothing.
func TestPlanOfCreatesAsksOnce(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(foresightFixtures))
	surveys := env.Resources(t, "posthog_survey", 12)
	acctest.Each(surveys, func(i int, o *acctest.Resource) {
		assert.Empty(t, o.Plan(with(object{"name": string(rune('A' + i)), "linked_flag_id": 7})).Diagnostics.Text())
	})
	assert.Equal(t, map[string]int{"surveys_list": 1, "personal_api_keys_current_retrieve": 1, "feature_flags_retrieve": 1}, env.Operations())

	require.Empty(t, surveys[0].Apply(with(object{"name": "A"})).Errors().Text())
	env.NextRun(t, surveys...)
	env.ResetJournal()
	assert.Empty(t, surveys[0].Plan(with(object{"name": "B"})).Diagnostics.Errors().Text())
	assert.Empty(t, env.Journal())
}

func TestPlanWarnsOfTwoCreatesOfOneName(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	both := env.Resources(t, "posthog_survey", 2)
	assert.Empty(t, both[0].Plan(with(nil)).Diagnostics.Errors().Text())
	second := both[1].Plan(with(nil)).Diagnostics
	assert.Empty(t, second.Errors().Text(), "a second resource with the same name must cause a warning, not an error")
	assert.Contains(t, second.Text(), "Two resources have the name")
}
