package terraform_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// edited changes the only survey outside Terraform.
func edited(t *testing.T, env *acctest.Env, keys map[string]any) {
	t.Helper()
	id, _ := only(t, env)["id"].(string)
	_, err := env.Server.PatchSurvey(id, keys)
	require.NoError(t, err)
}

// A survey that PostHog stopped at its responses_limit stays stopped until the limit changes.
func TestStoppedByTheLimit(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	config := with(object{"status": "running", "responses_limit": 100})
	require.Empty(t, survey.Apply(config).Errors())
	edited(t, env, map[string]any{"end_date": "2026-05-01T00:00:00Z", "responses_limit": nil})
	for range 2 {
		require.Empty(t, survey.Refresh().Text())
		plan := survey.Plan(config)
		assert.True(t, survey.IsEmpty(plan))
		assert.Contains(t, plan.Diagnostics.Text(), "stays stopped")
		assert.Contains(t, plan.Diagnostics.Text(), "raise or remove responses_limit")
	}
	config["description"] = "another"
	require.Empty(t, survey.Apply(config).Errors())
	assert.JSONEq(t, `{"description":"another"}`, env.RequestBodies(t, http.MethodPatch)[0])
	assert.NotNil(t, only(t, env)["end_date"])

	config["responses_limit"] = 200
	require.Empty(t, survey.Apply(config).Errors())
	assert.Nil(t, only(t, env)["end_date"])
	assert.Equal(t, json.Number("200"), only(t, env)["responses_limit"])
	plan := survey.Plan(config)
	assert.True(t, survey.IsEmpty(plan))
	assert.NotContains(t, plan.Diagnostics.Text(), "stays stopped")
}

// A survey without a configured status is launched in PostHog and reaches its responses_limit between two reads. The
// plan is empty. The same is true if the survey ended earlier and was launched again.
func TestStoppedByTheLimitAfterALaunchByHand(t *testing.T) {
	t.Parallel()
	for name, state := range map[string][]map[string]any{
		"never read while it ran": {{"start_date": "2026-04-01T00:00:00Z", "end_date": "2026-05-01T00:00:00Z", "responses_limit": nil}},
		"read while it ran":       {{"start_date": "2026-04-01T00:00:00Z"}, {"end_date": "2026-05-01T00:00:00Z", "responses_limit": nil}},
		"launched again": {
			{"start_date": "2026-03-01T00:00:00Z", "end_date": "2026-03-20T00:00:00Z"},
			{"start_date": "2026-04-01T00:00:00Z", "end_date": "2026-05-01T00:00:00Z", "responses_limit": nil},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			survey := env.Resource(t, "posthog_survey")
			config := with(object{"responses_limit": 10})
			require.Empty(t, survey.Apply(config).Errors())
			for _, keys := range state {
				edited(t, env, keys)
				require.Empty(t, survey.Refresh().Text())
				assert.True(t, survey.IsEmpty(survey.Plan(config)))
			}
			require.Empty(t, survey.Refresh().Text())
			assert.True(t, survey.IsEmpty(survey.Plan(config)))
			assert.Empty(t, env.RequestBodies(t, http.MethodPatch))
		})
	}
}

// A configuration without dates doesn't undo a launch or a stop in PostHog.
func TestLaunchAndStopByHandStay(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	config := with(nil)
	require.Empty(t, survey.Apply(config).Errors())
	for _, dates := range []map[string]any{
		{"start_date": "2026-01-01T00:00:00Z"},
		{"end_date": "2026-02-01T00:00:00Z"},
		{"end_date": nil},
		{"start_date": nil},
	} {
		edited(t, env, dates)
		require.Empty(t, survey.Refresh().Text())
		assert.True(t, survey.IsEmpty(survey.Plan(config)), "%v", dates)
	}
	assert.Empty(t, env.RequestBodies(t, http.MethodPatch))
}

func TestDeletionPolicy(t *testing.T) {
	t.Parallel()
	for policy, check := range map[string]func(*testing.T, *acctest.Env){
		"delete":  func(t *testing.T, env *acctest.Env) { assert.Empty(t, env.Surveys(t)) },
		"archive": func(t *testing.T, env *acctest.Env) { assert.Equal(t, true, only(t, env)["archived"]) },
		"abandon": func(t *testing.T, env *acctest.Env) { assert.Equal(t, false, only(t, env)["archived"]) },
	} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			survey := env.Resource(t, "posthog_survey")
			require.Empty(t, survey.Apply(with(object{"deletion_policy": policy})).Errors())
			require.Empty(t, survey.Destroy().Text())
			check(t, env)
		})
	}
}

// The next plan shows every edit in PostHog, and an apply overwrites only edits that the plan shows.
func TestDriftIsSeen(t *testing.T) {
	t.Parallel()

	question := func(keys object) []any {
		all := object{"id": "q1", "type": "single_choice", "question": "Which?", "choices": []any{"a", "b"}}
		maps.Copy(all, keys)
		return []any{all}
	}

	for name, edit := range map[string]map[string]any{
		"name":            {"name": "Renamed"},
		"text":            {"questions": question(object{"question": "Which one?"})},
		"branching":       {"questions": question(object{"branching": object{"type": "end"}})},
		"optional":        {"questions": question(object{"optional": true})},
		"a question more": {"questions": append(question(nil), object{"type": "open", "question": "Why?", "id": "q2"})},
		"no questions":    {"questions": nil},
		"appearance key":  {"appearance": object{"position": "left", "fontFamily": "serif"}},
		"condition":       {"conditions": object{"url": "/a", "deviceTypes": []any{"Mobile"}}},
		"no conditions":   {"conditions": nil},
		"archived":        {"archived": true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			env := acctest.Start(t)
			survey := env.Resource(t, "posthog_survey")
			config := with(object{
				"questions":  []any{object{"id": "q1", "type": "single_choice", "question": "Which?", "choices": []any{"a", "b"}}},
				"appearance": `{"position":"left"}`, "conditions": `{"url":"/a"}`,
			})
			require.Empty(t, survey.Apply(config).Errors())

			edited(t, env, edit)
			require.Empty(t, survey.Refresh().Text())
			plan := survey.Plan(config)
			require.Empty(t, plan.Diagnostics.Errors())
			assert.False(t, survey.IsEmpty(plan), "the plan does not show the edit")

			require.Empty(t, survey.Apply(config).Errors())
			assert.True(t, survey.IsEmpty(survey.Plan(config)))
		})
	}
}

// An edit between plan and apply isn't mistaken for a normalization by PostHog: the next plan shows it.
func TestEditBetweenPlanAndApply(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	config := with(object{"description": "one", "appearance": `{"position":"left"}`})
	require.Empty(t, survey.Apply(config).Errors())
	config["description"] = "two"
	edited(t, env, map[string]any{"appearance": object{"position": "right"}})
	diags := survey.Apply(config)
	require.Empty(t, diags.Text())
	require.Empty(t, survey.Refresh().Text())
	assert.False(t, survey.IsEmpty(survey.Plan(config)), "the plan does not show the edit")
}

// Archiving a survey with linked actions also sends its conditions. Otherwise, PostHog would unlink the actions.
func TestArchivingKeepsActions(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(`{"actions":[{"id":5,"project_id":"1","name":"Paid"}]}`))
	survey := env.Resource(t, "posthog_survey")
	conditions := `{"actions":{"values":[{"id":5,"name":"Paid"}]}}`
	require.Empty(t, survey.Apply(with(object{"deletion_policy": "archive", "conditions": conditions})).Errors().Text())
	require.Empty(t, survey.Destroy().Text())
	bodies := env.RequestBodies(t, http.MethodPatch)
	require.Len(t, bodies, 1)
	assert.JSONEq(t, `{"archived":true,"conditions":`+conditions+`}`, bodies[0])
}

// L11: archiving sends the current conditions from PostHog, so edits and links that were made since the last refresh
// are kept.
func TestL11ArchivingKeepsUnseenEdits(t *testing.T) {
	t.Parallel()
	linked := func(url string) object {
		return object{"url": url, "actions": object{"values": []any{object{"id": json.Number("5"), "name": "Paid"}}}}
	}
	for name, before := range map[string]string{"none linked": `{"url":"/a"}`, "linked": `{"url":"/a","actions":{"values":[{"id":5,"name":"Paid"}]}}`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(`{"actions":[{"id":5,"project_id":"1","name":"Paid"}]}`))
			survey := env.Resource(t, "posthog_survey")
			require.Empty(t, survey.Apply(with(object{"deletion_policy": "archive", "conditions": before})).Errors().Text())
			edited(t, env, map[string]any{"conditions": linked("/theirs")})
			env.ResetJournal()

			require.Empty(t, survey.Destroy().Text())
			assert.Equal(t, map[string]int{"surveys_retrieve": 1, "surveys_partial_update": 1}, env.Operations())
			stored := only(t, env)
			assert.Equal(t, true, stored["archived"])
			kept, _ := stored["conditions"].(object)
			assert.Equal(t, "/theirs", kept["url"])
			actions, _ := kept["actions"].(object)
			assert.Len(t, actions["values"], 1)
		})
	}
}

// If surveys are switched off in a project, launching one shows it to no one. The plan warns of this if the key may
// read the setting.
func TestLaunchInProjectThatShowsNoSurveys(t *testing.T) {
	t.Parallel()
	const project = `{"projects":[{"id":1,"surveys_opt_in":%s}],"api_keys":[{"key":"phx_reader","scopes":["%s"]}]}`
	const warning = `Surveys are switched off in the project: "`
	for name, c := range map[string]struct {
		profile      testserver.Profile
		optIn, scope string
		config       object
		warns        bool
		reads        int
	}{
		"switched off":        {testserver.Hosted, "false", "*", object{"status": "running"}, true, 1},
		"never switched on":   {testserver.Hosted, "null", "*", object{"status": "running"}, true, 1},
		"switched on":         {testserver.Hosted, "true", "*", object{"status": "running"}, false, 1},
		"key may not read it": {testserver.Hosted, "false", `survey:write","feature_flag:write`, object{"status": "running"}, false, 1},
		"draft":               {testserver.Hosted, "false", "*", nil, false, 0},
		"page of its own":     {testserver.Hosted, "false", "*", object{"status": "running", "type": "external_survey"}, false, 0},
		"no such setting":     {testserver.Documented, "null", "*", object{"status": "running"}, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := fmt.Sprintf(project, c.optIn, c.scope)
			if c.profile == testserver.Documented {
				document = "{}"
			}
			env := acctest.Start(t, acctest.Profile(c.profile), acctest.Fixtures(document))
			surveys := env.Resources(t, "posthog_survey", 2)

			plan := surveys[0].Plan(with(c.config))
			assert.Equal(t, c.warns, strings.Contains(plan.Diagnostics.Text(), warning), plan.Diagnostics.Text())
			assert.Equal(t, c.config != nil && !c.warns,
				strings.Contains(plan.Diagnostics.Text(), "This plan launches the survey"), "the plan must have only one of two warnings that contradict each other: %s", plan.Diagnostics.Text())
			another := with(c.config)
			another["name"] = "Another"
			surveys[1].Plan(another)

			reads := 0
			for _, request := range env.Journal() {
				if request.Path == "/api/projects/1/" {
					reads++
				}
			}
			assert.Equal(t, c.reads, reads, "all surveys of a project must share one read")
		})
	}
}
