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

// afterWrite are the attributes that the hosted service returns in reads alone.
func afterWrite(survey *acctest.Resource) object {
	return object{"feature_flag_keys": survey.State("feature_flag_keys"), "user_access_level": survey.State("user_access_level")}
}

// readOnly are all attributes that only the service sets.
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

// sampledSurvey is a configuration that samples responses.
var sampledSurvey = object{
	"response_sampling_start_date": "2031-01-01T00:00:00Z", "response_sampling_interval": 1,
	"response_sampling_interval_type": "week", "response_sampling_limit": 10,
}

// A4: what a create or an update leaves in the state is what the next read finds.
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
				if len(requests) > 0 && requests[0].Method == http.MethodGet { // before an update that replaces a whole value
					requests = requests[1:]
				}
				assert.LessOrEqual(t, len(requests), 2, "a write and a read after it")
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

// A4: the read that goes before an update of questions returns the key of a sampling flag
// that the survey has, so no other follows. A new flag's key is in no answer to the
// update.
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

// A4: the access level is read once for all surveys of a project that a run creates.
func TestA4RequestsOfCreates(t *testing.T) {
	t.Parallel()
	const n = 20
	for profile, want := range map[testserver.Profile]int{testserver.Hosted: n + 1, testserver.Documented: n} {
		env := acctest.Start(t, acctest.Profile(profile))
		surveys := env.Resources(t, "posthog_survey", n)
		acctest.Each(surveys, func(i int, o *acctest.Resource) {
			assert.Empty(t, o.Apply(with(object{"name": fmt.Sprint("Survey ", i)})).Errors().Text())
		})
		assert.Len(t, env.Journal(), want)
	}
}

// A4: the documented service has neither attribute, after a write as after a read.
func TestA4DocumentedHasNone(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(with(nil)).Errors().Text())
	assert.Equal(t, object{"feature_flag_keys": nil, "user_access_level": nil}, afterWrite(survey))
	require.Empty(t, survey.Refresh().Text())
	assert.Equal(t, object{"feature_flag_keys": nil, "user_access_level": nil}, afterWrite(survey))
}

// A4: a read that fails after the create costs two attributes, and not the survey.
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
	assert.NotNil(t, surveys[1].State("user_access_level"), "the next create tries again")
}
