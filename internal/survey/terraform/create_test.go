package terraform_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// full returns a survey with values that each profile returns differently.
func full() map[string]any {
	return map[string]any{
		"name": " NPS ", "type": "popover", "description": "", "status": "running",
		"conditions": `{"url":"https://example.com","urlMatchType":"icontains"}`,
		"appearance": `{"thankYouMessageHeader":"<b>Thanks"}`,
		"questions":  []any{map[string]any{"type": "open", "question": "Why <i>this</i>?"}},
	}
}

// If the response to a create is lost, the survey is added to the state, and the plan is empty.
func TestLostAnswerToACreate(t *testing.T) {
	t.Parallel()

	cut := 40

	for name, fault := range map[string]testserver.Fault{"drop": {Drop: "after"}, "cut": {CutBody: &cut}} {
		for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
			t.Run(name+" "+string(profile), func(t *testing.T) {
				t.Parallel()

				env := acctest.Start(t, acctest.Profile(profile))
				once := fault
				once.Method, once.To = "POST", 1
				env.SetFaults(once)

				survey := env.Resource(t, "posthog_survey")
				diags := survey.Apply(full())
				require.False(t, diags.HasError(), diags.Text())
				assert.Equal(t, only(t, env)["id"], survey.State("id"))
				require.Empty(t, survey.Refresh().Errors().Text())

				plan := survey.Plan(full())
				require.Empty(t, plan.Diagnostics.Errors().Text())
				assert.True(t, survey.IsEmpty(plan))
				assert.Equal(t, 1, env.Operations()["surveys_create"])
			})
		}
	}
}

// If a create may still be running, the error contains the remedy, and the next run creates one survey.
func TestCreateOfUnknownOutcome(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]testserver.Fault{
		"504": {Status: 504, To: 2}, "drop": {Drop: "before", To: 2}, "page": {HTML: true, To: 1}, // a second request follows the others
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			fault.Method = "POST"
			env.SetFaults(fault)
			survey := env.Resource(t, "posthog_survey")
			found := survey.Apply(full()).Errors()
			require.Len(t, found, 1)
			assert.Contains(t, found[0].Detail, "It is unknown whether the object was created")
			assert.Contains(t, found[0].Detail, "Run the same command again")
			assert.Nil(t, survey.State("id"))
			require.Empty(t, survey.Apply(full()).Errors().Text())
			assert.Equal(t, only(t, env)["id"], survey.State("id"))
		})
	}
}

// If the name is taken, the error shows the import block for the existing survey.
func TestTakenName(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(profile))
			other := env.CreateSurvey(testserver.Object{"project_id": env.ProjectID, "name": "NPS", "type": "popover"})
			survey, config := env.Resource(t, "posthog_survey"), full()
			config["name"] = "NPS"
			found := survey.Apply(config).Errors()
			require.Len(t, found, 1)
			assert.Equal(t, `AttributeName("name")`, found[0].Attribute.String())
			id, _ := other["id"].(string)
			assert.Contains(t, found[0].Detail, "import {\n  to = posthog_survey.example # the address of this resource\n  id = \""+env.ProjectID+"/"+id+"\"\n}")
			require.Empty(t, survey.Import(env.ProjectID+"/"+id).Errors().Text())
			require.Empty(t, survey.Apply(config).Errors().Text())
			assert.Equal(t, id, only(t, env)["id"])
		})
	}
}

// afterWrite returns the attributes that PostHog returns only in reads.
func afterWrite(survey *acctest.Resource) object {
	return object{"feature_flag_keys": survey.State("feature_flag_keys"), "user_access_level": survey.State("user_access_level")}
}

// readOnly returns all attributes that only PostHog sets.
func readOnly(survey *acctest.Resource) object {
	all := object{}
	for _, name := range []string{
		"linked_flag", "targeting_flag", "internal_targeting_flag", "feature_flag_keys", "user_access_level", "created_at", "created_by",
		"iteration_start_dates", "current_iteration", "current_iteration_start_date", "response_sampling_daily_limits",
	} {
		all[name] = survey.State(name)
	}
	return all
}

// sampledSurvey is a configuration with response sampling.
var sampledSurvey = object{
	"response_sampling_start_date": "2031-01-01T00:00:00Z", "response_sampling_interval": 1,
	"response_sampling_interval_type": "week", "response_sampling_limit": 10,
}

// A4: the state after a create or an update equals the result of the next read.
func TestA4StateAfterWrites(t *testing.T) {
	t.Parallel()
	configs := []object{
		nil, {"targeting_flag_id": 2}, {"linked_flag_id": 3}, {"linked_flag_id": 3, "targeting_flag_id": 1}, tenPercent, sampledSurvey,
		{"status": "running"}, {"iteration_count": 3, "iteration_frequency_days": 7, "schedule": "recurring", "status": "running"},
	}
	for i := range len(configs) * len(configs) {
		first, second := configs[i/len(configs)], configs[i%len(configs)]
		t.Run(fmt.Sprint(i/len(configs), " ", i%len(configs)), func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(betaFlag))
			survey := env.Resource(t, "posthog_survey")
			for _, config := range []object{first, second} {
				sent := len(env.Journal())
				require.Empty(t, survey.Apply(with(config)).Errors().Text())
				requests := env.Journal()[sent:]
				for len(requests) > 0 && requests[0].Method == http.MethodGet { // for planning a create, or before an update that replaces a whole value
					requests = requests[1:]
				}
				assert.LessOrEqual(t, len(requests), 2, "an apply must send at most a write and a read")
				written := readOnly(survey)
				require.NotNil(t, written["user_access_level"])
				keys, _ := written["feature_flag_keys"].(object)
				require.Len(t, keys, 4)
				require.NotNil(t, keys["internal_targeting_flag_key"])

				require.Empty(t, survey.Refresh().Text())
				assert.Equal(t, readOnly(survey), written, config)
				assert.True(t, survey.IsEmpty(survey.Plan(with(config))))
			}
		})
	}
}

// A4: the read before an update of questions returns the key of an existing sampling flag, so no other read follows.
// The response to the update never contains the key of a new flag.
func TestA4RequestsOfUpdates(t *testing.T) {
	t.Parallel()
	for _, wasSampled := range []bool{true, false} {
		env := acctest.Start(t, acctest.Profile(testserver.Hosted))
		survey := env.Resource(t, "posthog_survey")
		first := asking(open(nil))
		if wasSampled {
			first = merged(first, sampledSurvey)
		}
		require.Empty(t, survey.Apply(first).Errors().Text())

		env.ResetJournal()
		second := merged(asking(open(object{"optional": true})), sampledSurvey, object{"response_sampling_limit": 20})
		require.Empty(t, survey.Apply(second).Errors().Text())
		reads := map[bool]int{true: 1, false: 2}[wasSampled]
		assert.Equal(t, map[string]int{"surveys_retrieve": reads, "surveys_partial_update": 1}, env.Operations())

		written := readOnly(survey)
		require.NotNil(t, written["feature_flag_keys"].(object)["internal_response_sampling_flag_key"])
		require.Empty(t, survey.Refresh().Text())
		assert.Equal(t, readOnly(survey), written)
	}
}

// A4: the access level is read once for all surveys that a run creates in a project.
func TestA4RequestsOfCreates(t *testing.T) {
	t.Parallel()
	const n = 20
	for profile, want := range map[testserver.Profile]int{testserver.Hosted: n + 3, testserver.Documented: n + 2} {
		env := acctest.Start(t, acctest.Profile(profile))
		surveys := env.Resources(t, "posthog_survey", n)
		acctest.Each(surveys, func(i int, o *acctest.Resource) {
			assert.Empty(t, o.Apply(with(object{"name": fmt.Sprint("Survey ", i)})).Errors().Text())
		})
		assert.Len(t, env.Journal(), want)
	}
}

// A4: the documented profile returns neither attribute, after a write or a read.
func TestA4DocumentedHasNone(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(with(nil)).Errors().Text())
	assert.Equal(t, object{"feature_flag_keys": nil, "user_access_level": nil}, afterWrite(survey))
	require.Empty(t, survey.Refresh().Text())
	assert.Equal(t, object{"feature_flag_keys": nil, "user_access_level": nil}, afterWrite(survey))
}

// A4: if the read after the create fails, two attributes are missing, but the survey is in the state.
func TestA4ReadAfterCreateFails(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	surveys := env.Resources(t, "posthog_survey", 2)
	env.SetFaults(testserver.Fault{Operation: "surveys_retrieve", Status: 403})
	diags := surveys[0].Apply(with(nil))
	require.Empty(t, diags.Errors().Text())
	assert.Contains(t, diags.Text(), "Some attributes are empty until the next refresh")
	assert.Nil(t, surveys[0].State("user_access_level"))
	keys, _ := surveys[0].State("feature_flag_keys").(object)
	assert.NotNil(t, keys["internal_targeting_flag_key"])

	env.SetFaults()
	require.Empty(t, surveys[1].Apply(with(object{"name": "Another"})).Text())
	assert.NotNil(t, surveys[1].State("user_access_level"), "the next create must read the survey again")
}

// The provider waits out every 429 and every temporary failure without a message.
func TestWaitsAreNotTold(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	config := map[string]any{"name": "NPS", "type": "popover"}

	env.SetFaults(testserver.Fault{Method: "POST", To: 3, RetryAfter: "90"})
	diags := survey.Apply(config)
	require.Empty(t, diags.Text())

	env.SetFaults(testserver.Fault{Method: "GET", To: 6, Status: 502})
	diags = survey.Refresh()
	require.Empty(t, diags.Text())

	env.SetFaults(testserver.Fault{Method: "PATCH", To: 2, Drop: "after"})
	config["name"] = "NPS 2"
	diags = survey.Apply(config)
	require.Empty(t, diags.Text())
	assert.Equal(t, "NPS 2", only(t, env)["name"])

	env.SetFaults(testserver.Fault{Method: "DELETE", To: 1, Drop: "after"})
	require.Empty(t, survey.Destroy().Text())
	assert.Empty(t, env.Surveys(t))
}
