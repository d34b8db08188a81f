package terraform_test

import (
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// unseenByDestroy are edits of the web interface between the plan of a destroy and its apply.
var unseenByDestroy = map[string]struct {
	config object
	edit   testserver.Object
	says   string
}{
	"flag attached":     {tenPercent, testserver.Object{"targeting_flag_id": 2}, `targeting_flag_id: `},
	"flag of a draft":   {nil, testserver.Object{"targeting_flag_id": 2}, `would delete feature flag "beta-users" (id 2) with the survey`},
	"launched":          {nil, testserver.Object{"start_date": "2025-05-01T00:00:00Z"}, `status: "draft" -> "running"`},
	"launched and over": {nil, testserver.Object{"start_date": "2025-05-01T00:00:00Z", "end_date": "2025-05-02T00:00:00Z"}, `status: "draft" -> "completed"`},
	"resumed":           {object{"start_date": "2025-05-01T00:00:00Z", "end_date": "2025-06-01T00:00:00Z"}, testserver.Object{"end_date": nil}, `status: "completed" -> "running"`},
	"unarchived":        {object{"archived": true}, testserver.Object{"archived": false}, "archived: true -> false"},
	"questions":         {asking(open(object{"id": "a"})), testserver.Object{"questions": []any{open(object{"id": "a", "question": "Reworded"})}}, `questions[0] was reworded: "Why?" -> "Reworded"`},
	"description":       {object{"description": "a"}, testserver.Object{"description": "theirs"}, `description: "a" -> "theirs"`},
}

// N5: a destroy looks as an update does. What was changed since its plan stops it, and the
// destroy that was planned with these changes goes through.
func TestN5DestroyLooks(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		for name, c := range unseenByDestroy {
			t.Run(string(profile)+" "+name, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(betaFlag))
				survey := env.Resource(t, "posthog_survey")
				require.Empty(t, survey.Apply(with(c.config)).Errors().Text())
				require.Empty(t, survey.PlanDestroy().Diagnostics.Errors().Text())

				id, _ := survey.State("id").(string)
				env.PatchSurvey(id, c.edit)
				stored := only(t, env)
				refused := survey.Destroy().Errors().Text()
				assert.Contains(t, refused, `Could not delete survey`)
				assert.Contains(t, refused, c.says)
				assert.Contains(t, refused, "Nothing was deleted. Plan again")
				assert.Equal(t, stored, only(t, env))
				assert.Zero(t, env.Operations()["surveys_destroy"])
				require.True(t, survey.Exists())

				require.Empty(t, survey.Refresh().Errors().Text())
				require.Empty(t, survey.Destroy().Errors().Text())
				assert.Empty(t, env.Surveys(t))
			})
		}
	}
}

// N5: the error says who launched the survey or attached the flag.
func TestN5NamesWhoChangedIt(t *testing.T) {
	t.Parallel()
	for attribute, edit := range map[string]object{"start_date": {"status": "running"}, "targeting_flag_id": {"targeting_flag_id": 2}} {
		env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(betaFlag))
		own, theirs := env.Resource(t, "posthog_survey"), env.Resource(t, "posthog_survey")
		require.Empty(t, own.Apply(with(nil)).Errors())
		id, _ := own.State("id").(string)
		require.Empty(t, theirs.Import("1/"+id).Errors())
		require.Empty(t, theirs.Apply(with(edit)).Errors())
		assert.Contains(t, own.Destroy().Errors().Text(), "The last change of "+attribute+" was made by test@example.com")
	}
}

// A survey that stopped since the plan, by hand or at its limit, loses nothing by that. One
// that is gone is what was wanted, and a destroy takes one request more than the deletion.
func TestN5DestroyGoesThrough(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]testserver.Object{
		"unchanged": {}, "stopped": {"end_date": "2025-06-01T00:00:00Z"}, "at its limit": {"end_date": "2025-06-01T00:00:00Z", "responses_limit": nil},
		// As when the same run destroys the survey that the flag goes with.
		"its linked flag is gone": {"linked_flag_id": nil},
	} {
		for _, profile := range profiles {
			env := acctest.Start(t, acctest.Profile(profile))
			survey := env.Resource(t, "posthog_survey")
			require.Empty(t, survey.Apply(with(object{"start_date": "2025-05-01T00:00:00Z", "responses_limit": 5, "linked_flag_id": 1})).Errors().Text())
			id, _ := survey.State("id").(string)
			env.PatchSurvey(id, edit)

			env.ResetJournal()
			require.Empty(t, survey.Destroy().Errors().Text(), name)
			assert.Equal(t, map[string]int{"surveys_retrieve": 1, "surveys_destroy": 1}, env.Operations())
		}
	}

	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(with(nil)).Errors().Text())
	deleted(t, env)
	require.Empty(t, survey.Destroy().Text())
}

// An archived survey keeps its edits and its flag, so a launch alone stops the destroy; an
// abandoned one is not even read.
func TestN5PoliciesLook(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(betaFlag))
		survey := env.Resource(t, "posthog_survey")
		require.Empty(t, survey.Apply(with(object{"deletion_policy": "archive"})).Errors().Text())
		id, _ := survey.State("id").(string)
		env.PatchSurvey(id, testserver.Object{"start_date": "2025-05-01T00:00:00Z", "description": "theirs", "targeting_flag_id": 2})
		assert.Contains(t, survey.Destroy().Errors().Text(), `status: "draft" -> "running"`)
		assert.Equal(t, false, only(t, env)["archived"])

		env.PatchSurvey(id, testserver.Object{"start_date": nil})
		require.Empty(t, survey.Destroy().Errors().Text())
		assert.Equal(t, "theirs", only(t, env)["description"])

		abandoned := acctest.Start(t, acctest.Profile(profile))
		survey = abandoned.Resource(t, "posthog_survey")
		require.Empty(t, survey.Apply(with(object{"deletion_policy": "abandon"})).Errors().Text())
		abandoned.ResetJournal()
		require.Empty(t, survey.Destroy().Text())
		assert.Empty(t, abandoned.Journal())
	}
}

// A destroy that cannot look deletes nothing.
func TestN5DestroyNeedsTheLook(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(with(nil)).Errors().Text())
	env.SetFaults(testserver.Fault{Operation: "surveys_retrieve", Status: http.StatusForbidden})
	assert.Contains(t, survey.Destroy().Errors().Text(), "Could not delete survey")
	assert.Len(t, env.Surveys(t), 1)
}

// What the service stores in another form than it was sent is no edit, before the next
// refresh either.
func TestN5NormalizedValuesAreNoEdits(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		inputs := maps.Clone(quietInputs)
		if profile == testserver.Documented {
			maps.Copy(inputs, written)
		}
		for name, config := range inputs {
			t.Run(string(profile)+"/"+name, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile))
				survey := env.Resource(t, "posthog_survey")
				require.Empty(t, survey.Apply(config).Errors().Text())
				changed := merged(config, object{"enable_iframe_embedding": true, "name": "Another name"})
				require.Empty(t, survey.Apply(changed).Errors().Text())
				require.Empty(t, survey.Destroy().Errors().Text())
			})
		}
	}
}
