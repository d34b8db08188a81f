package terraform_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// wrongFlags returns the surveys' own flags whose state contradicts their survey's status.
func wrongFlags(env *acctest.Env) (wrong []string) {
	for _, survey := range env.Server.Surveys(env.ProjectID) {
		archived, _ := survey["archived"].(bool)
		isRunning := survey["start_date"] != nil && survey["end_date"] == nil && !archived
		for _, name := range []string{"internal_targeting_flag", "targeting_flag"} {
			flag, _ := survey[name].(map[string]any)
			key, _ := flag["key"].(string)
			if strings.HasPrefix(key, "survey-targeting-") && flag["active"] != isRunning {
				wrong = append(wrong, fmt.Sprintf("%s of %v is %v, running is %v", name, survey["name"], flag["active"], isRunning))
			}
		}
	}
	return wrong
}

// forTenth returns a configuration with filters for a tenth of all persons.
func forTenth(keys object) object {
	config := with(tenPercent)
	maps.Copy(config, keys)
	return config
}

const launchDate = "2025-11-01T00:00:00Z"

// L16: however a survey is launched, stopped, or archived, its flags are on exactly while it runs, and the plan is
// empty.
func TestL16WaysToBeLaunched(t *testing.T) {
	t.Parallel()
	running, draft, completed := object{"status": "running"}, object{"status": "draft"}, object{"status": "completed"}
	ways := map[string][]object{
		"created running":               {forTenth(running)},
		"created with a start date":     {forTenth(object{"start_date": launchDate})},
		"created completed":             {forTenth(completed)},
		"created running and archived":  {forTenth(object{"status": "running", "archived": true}), forTenth(running)},
		"created running, no filters":   {with(running)},
		"created running, own flag":     {with(object{"status": "running", "targeting_flag_id": 1})},
		"launched":                      {forTenth(draft), forTenth(running)},
		"launched by a date":            {forTenth(nil), forTenth(object{"start_date": launchDate})},
		"resumed":                       {forTenth(running), forTenth(completed), forTenth(running)},
		"back to draft":                 {forTenth(running), forTenth(draft), forTenth(running)},
		"unarchived":                    {forTenth(running), forTenth(object{"status": "running", "archived": true}), forTenth(running)},
		"targeting added":               {with(running), forTenth(running)},
		"targeting removed, then added": {forTenth(running), with(running), forTenth(running)},
		"targeting instead of a flag":   {with(object{"status": "running", "targeting_flag_id": 1}), forTenth(running)},
		"recurring":                     {forTenth(object{"status": "running", "iteration_count": 3, "iteration_frequency_days": 7})},
		"with actions": {forTenth(object{
			"status": "running", "conditions": `{"actions":{"values":[{"id":4,"name":"signed up"}]}}`,
		})},
	}
	for name, configs := range ways {
		for _, profile := range profiles {
			t.Run(name+" "+string(profile), func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(`{"actions":[{"id":4,"project_id":1,"name":"signed up"}]}`))
				survey := env.Resource(t, "posthog_survey")
				for _, config := range configs {
					require.Empty(t, survey.Apply(config).Errors().Text())
					require.Empty(t, wrongFlags(env))
					require.True(t, survey.IsEmpty(survey.Plan(config)), "the plan before a refresh must be empty")
					require.Empty(t, survey.Refresh().Text())
					require.True(t, survey.IsEmpty(survey.Plan(config)), "the plan after a refresh must be empty")
				}
				if strings.Contains(name, "actions") {
					assert.Contains(t, fmt.Sprint(only(t, env)["conditions"]), "signed up")
				}

				// The survey is replaced, unless that would delete the linked flag, and imported and then edited.
				last := configs[len(configs)-1]
				if last["targeting_flag_id"] == nil {
					require.Empty(t, survey.Destroy().Text())
					require.Empty(t, survey.Apply(last).Errors().Text())
					require.Empty(t, wrongFlags(env))
				}
				imported := env.Resource(t, "posthog_survey")
				require.Empty(t, imported.Import(fmt.Sprint(only(t, env)["id"])).Errors().Text())
				edited := maps.Clone(last)
				edited["description"] = "edited"
				require.Empty(t, imported.Apply(edited).Errors().Text())
				require.Empty(t, wrongFlags(env))
			})
		}
	}
}

// L16: the same is true for random sequences.
func TestL16RandomLaunches(t *testing.T) {
	t.Parallel()
	envs := map[testserver.Profile]*acctest.Env{}
	for _, profile := range profiles {
		envs[profile] = acctest.Start(t, acctest.Profile(profile))
	}
	configs := rapid.Custom(func(r *rapid.T) object {
		config := with(nil)
		if status := rapid.SampledFrom([]string{"", "draft", "running", "completed"}).Draw(r, "status"); status != "" {
			config["status"] = status
		}
		if rapid.Bool().Draw(r, "archived") {
			config["archived"] = true
		}
		switch rapid.SampledFrom([]string{"filters", "filters", "other filters", "none"}).Draw(r, "targeting") {
		case "filters":
			maps.Copy(config, tenPercent)
		case "other filters":
			config["targeting_flag_filters"] = `{"groups":[{"properties":[],"rollout_percentage":90}]}`
		}
		return config
	})

	rapid.Check(t, func(r *rapid.T) {
		if isLeftOut(r) {
			return
		}
		env := envs[rapid.SampledFrom(profiles).Draw(r, "profile")]
		env.SetFixtures("{}")
		survey := env.Resource(t, "posthog_survey")
		for range rapid.IntRange(1, 5).Draw(r, "applies") {
			config := configs.Draw(r, "config")
			if survey.Exists() && rapid.IntRange(0, 3).Draw(r, "replaced") == 0 {
				survey.Destroy()
			}
			wantApplied(r, survey, config)
			if wrong := wrongFlags(env); wrong != nil {
				r.Fatal(wrong)
			}
			if rapid.Bool().Draw(r, "refreshed") {
				survey.Refresh()
			}
			wantEmpty(r, survey, config)
		}
	})
}

// A survey without filters is created by one request. A survey with filters needs two, and the second contains only
// the start date.
func TestL16RequestsOfACreate(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile))
		require.Empty(t, env.Resource(t, "posthog_survey").Apply(with(object{"status": "running"})).Errors().Text())
		assert.Empty(t, env.RequestBodies(t, http.MethodPatch))

		env = acctest.Start(t, acctest.Profile(profile))
		require.Empty(t, env.Resource(t, "posthog_survey").Apply(forTenth(object{"start_date": launchDate})).Errors().Text())
		created := env.RequestBodies(t, http.MethodPost)
		require.Len(t, created, 1)
		assert.NotContains(t, created[0], "start_date")
		assert.Equal(t, []string{`{"start_date":"` + launchDate + `"}`}, env.RequestBodies(t, http.MethodPatch))
	}
}

// If the launch fails, the survey is in the state as a draft, the error says so, and the next apply launches it.
func TestL16LaunchFails(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile))
		env.SetFaults(testserver.Fault{Operation: "surveys_partial_update", Status: http.StatusForbidden})
		survey, config := env.Resource(t, "posthog_survey"), forTenth(object{"status": "running"})
		failed := survey.Apply(config).Errors()
		require.Len(t, failed, 1)
		id := fmt.Sprint(only(t, env)["id"])
		assert.Equal(t, id, survey.State("id"))
		assert.Equal(t, "draft", survey.State("status"))
		assert.Contains(t, failed.Text(), `Could not launch survey "Quiet"`)
		assert.Contains(t, failed.Text(), "The survey was created with ID "+id+" and is a draft")
		assert.Contains(t, failed.Text(), "terraform untaint")

		env.SetFaults()
		env.NextRun(t, survey)
		require.Empty(t, survey.Apply(config).Errors().Text())
		assert.Equal(t, "started, never ended", dates(t, env))
		assert.Empty(t, wrongFlags(env))
		assert.True(t, survey.IsEmpty(survey.Plan(config)))
	}
}

// A survey whose launch failed can be destroyed like any draft.
func TestL16DestroyAfterAFailedLaunch(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"delete", "delete_unanswered"} {
		env := acctest.Start(t, acctest.Profile(testserver.Hosted))
		env.SetFaults(testserver.Fault{Operation: "surveys_partial_update", Status: http.StatusForbidden})
		survey := env.Resource(t, "posthog_survey")
		require.NotEmpty(t, survey.Apply(forTenth(object{"status": "running", "deletion_policy": policy})).Errors().Text())
		env.NextRun(t, survey)
		require.Empty(t, survey.Refresh().Errors().Text())
		require.Empty(t, survey.PlanDestroy().Diagnostics.Errors().Text())
		require.Empty(t, survey.Destroy().Errors().Text())
		assert.Empty(t, env.Surveys(t))
	}
}

// If PostHog can't be read either, the error doesn't claim that no one saw the survey.
func TestL16LaunchOfUnknownOutcome(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	env.SetFaults(
		testserver.Fault{Operation: "surveys_partial_update", Status: http.StatusForbidden},
		testserver.Fault{Operation: "surveys_retrieve", Status: http.StatusForbidden},
	)
	survey := env.Resource(t, "posthog_survey")
	failed := survey.Apply(forTenth(object{"status": "running"})).Errors().Text()
	assert.Contains(t, failed, "may be running, because reading it failed")
	assert.NotContains(t, failed, "no respondent has seen")
}

// A launch whose response was lost was carried out, so it isn't an error.
func TestL16LaunchWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile))
		env.SetFaults(testserver.Fault{Operation: "surveys_partial_update", Drop: "after"})
		survey, config := env.Resource(t, "posthog_survey"), forTenth(object{"status": "running"})
		require.Empty(t, survey.Apply(config).Errors().Text())
		assert.Equal(t, "running", survey.State("status"))
		assert.Empty(t, wrongFlags(env))
		env.SetFaults()
		require.Empty(t, survey.Refresh().Errors().Text())
		assert.True(t, survey.IsEmpty(survey.Plan(config)))
	}
}

// stoppable is a test that can cancel its calls before it ends.
type stoppable struct {
	testing.TB
	ctx context.Context
}

// Context returns the context of the calls.
func (s stoppable) Context() context.Context { return s.ctx }

// If Ctrl-C comes between a draft's create and its launch, the create completes. The state then contains the
// planned values, and nothing is tainted.
func TestL16StoppedBeforeTheLaunch(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		env := acctest.Start(t, acctest.Profile(profile), func(o *testserver.Options) {
			observe := o.Observe
			o.Observe = func(e testserver.Exchange) {
				observe(e)
				if e.Method == http.MethodPost {
					stop()
				}
			}
		})
		config := forTenth(object{"status": "running"})
		survey := env.Resource(stoppable{t, ctx}, "posthog_survey")
		require.Empty(t, survey.Apply(config).Errors().Text())
		require.ErrorIs(t, ctx.Err(), context.Canceled)
		assert.Equal(t, only(t, env)["id"], survey.State("id"))
		assert.Equal(t, "running", survey.State("status"))
		assert.Equal(t, "started, never ended", dates(t, env))
		assert.Empty(t, wrongFlags(env))
	}
}

// An older version created the survey in one request: the survey runs, but its flag was never switched on. The plan
// shows this, and the apply switches the flag on.
func TestL16FlagThatWasNeverOn(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		env, survey := acctest.Start(t, acctest.Profile(profile)), (*acctest.Resource)(nil)
		survey = env.Resource(t, "posthog_survey")
		config := forTenth(object{"status": "draft"})
		require.Empty(t, survey.Apply(config).Errors().Text())
		id := fmt.Sprint(only(t, env)["id"])

		// If a survey was launched without an update, PostHog leaves it in this state.
		_, err := env.Server.PatchSurvey(id, testserver.Object{"start_date": launchDate})
		require.NoError(t, err)
		switchFlag(t, env, id, "targeting_flag", false)
		require.Empty(t, survey.Refresh().Text())
		require.NotEmpty(t, wrongFlags(env))

		config = forTenth(nil)
		plan := survey.Plan(config)
		assert.False(t, survey.IsEmpty(plan))
		assert.Contains(t, plan.Diagnostics.Text(), `Survey "Quiet" is running but hidden`)
		sent := env.Operations()["surveys_partial_update"]
		require.Empty(t, survey.ApplyPlan(plan).Errors().Text())
		assert.Empty(t, wrongFlags(env))
		assert.Equal(t, sent+1, env.Operations()["surveys_partial_update"])
		assert.True(t, survey.IsEmpty(survey.Plan(config)))
		assert.Empty(t, survey.Plan(config).Diagnostics.Text())
	}
}

// SDKs ignore the internal flag of a survey that repeats, so a switched-off flag does not hide it.
func TestL16RepeatingSurveyIsNotHidden(t *testing.T) {
	t.Parallel()
	for schedule, want := range map[string]string{"once": "is running but hidden", "always": ""} {
		env := acctest.Start(t, acctest.Profile(testserver.Hosted))
		survey := env.Resource(t, "posthog_survey")
		require.Empty(t, survey.Apply(with(object{"schedule": schedule, "status": "draft"})).Errors().Text())
		id := fmt.Sprint(only(t, env)["id"])
		_, err := env.Server.PatchSurvey(id, testserver.Object{"start_date": launchDate})
		require.NoError(t, err)
		switchFlag(t, env, id, "internal_targeting_flag", false)
		require.Empty(t, survey.Refresh().Text())

		plan := survey.Plan(with(object{"schedule": schedule, "status": "running"}))
		assert.False(t, survey.IsEmpty(plan), "the apply must switch the flag on")
		assert.Equal(t, want != "", strings.Contains(plan.Diagnostics.Text(), "is running but hidden"), plan.Diagnostics.Text())
	}
}

// switchFlag switches one of a survey's flags on or off, as someone would on PostHog's feature flag page.
func switchFlag(t *testing.T, env *acctest.Env, id, name string, active bool) {
	t.Helper()
	flag, _ := env.Server.Survey(id)[name].(map[string]any)
	require.NotNil(t, flag)
	flag["active"] = active
	_, err := env.Server.PatchSurvey(id, testserver.Object{name: flag})
	require.NoError(t, err)
}

// A flag that a teammate switched off stays off without a warning until the survey changes. Then the plan shows that
// the survey will be shown again. The same is true for a flag that is off at an import.
func TestL16FlagThatWasSwitchedOff(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		for _, isImported := range []bool{false, true} {
			env := acctest.Start(t, acctest.Profile(profile))
			survey, config := env.Resource(t, "posthog_survey"), forTenth(object{"status": "running"})
			require.Empty(t, survey.Apply(config).Errors().Text())
			id := fmt.Sprint(only(t, env)["id"])
			switchFlag(t, env, id, "targeting_flag", false)
			if isImported {
				survey = env.Resource(t, "posthog_survey")
				require.Empty(t, survey.Import(id).Errors().Text())
				require.Empty(t, survey.Apply(config).Errors().Text())
			}

			for range 2 {
				require.Empty(t, survey.Refresh().Text())
				plan := survey.Plan(config)
				assert.True(t, survey.IsEmpty(plan))
				assert.Empty(t, plan.Diagnostics.Text())
			}

			config["description"] = "edited"
			plan := survey.Plan(config)
			assert.Contains(t, plan.Diagnostics.Text(), `The update shows survey "Quiet" again`)
			require.Empty(t, survey.ApplyPlan(plan).Errors().Text())
			assert.Empty(t, wrongFlags(env))
			assert.Empty(t, survey.Plan(config).Diagnostics.Text())
		}
	}
}

// The action switches on a running survey's flag.
func TestL16LaunchActionSwitchesOn(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile))
		survey := env.Resource(t, "posthog_survey")
		require.Empty(t, survey.Apply(forTenth(nil)).Errors().Text())
		id := fmt.Sprint(only(t, env)["id"])
		for _, prepare := range []func(){func() {}, func() { switchFlag(t, env, id, "targeting_flag", false) }} {
			prepare()
			_, diags := env.Invoke(t, "posthog_survey_launch", object{"survey_id": id})
			require.Empty(t, diags.Text())
			assert.Empty(t, wrongFlags(env))
		}
		_, diags := env.Invoke(t, "posthog_survey_stop", object{"survey_id": id})
		require.Empty(t, diags.Text())
		assert.Empty(t, wrongFlags(env))
	}
}
