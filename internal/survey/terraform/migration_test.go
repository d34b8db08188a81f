package terraform_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// official returns a survey of posthog/posthog.
func official(t *testing.T, name string) officialSurvey {
	t.Helper()
	for _, survey := range officialSurveys(t) {
		if survey.name == name {
			return survey
		}
	}
	require.FailNow(t, "the fixtures do not contain this survey", name)
	return officialSurvey{}
}

// reworded returns the configuration with another text for its first question.
func (s officialSurvey) reworded() map[string]any {
	first, _ := s.config["questions"].([]any)[0].(map[string]any)
	first["question"] = "Reworded?"
	return s.config
}

// The first change after a migration sends only that change, and the questions keep their IDs.
func TestMigratedSurveyIsUpdated(t *testing.T) {
	t.Parallel()

	for how, take := range takeOver {
		for _, profile := range profiles {
			survey := official(t, "every_kind")
			env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(survey.service))
			before := questionIDs(t, only(t, env))
			o := env.Resource(t, "posthog_survey")
			require.Empty(t, take(o, survey).Text())
			require.Empty(t, o.Refresh().Text())

			survey.config["description"] = "Migrated"
			require.Empty(t, o.Apply(survey.config).Errors().Text(), how)
			require.Empty(t, o.Apply(survey.reworded()).Errors().Text(), how)
			assert.Equal(t, before, questionIDs(t, only(t, env)))

			bodies := env.RequestBodies(t, http.MethodPatch)
			require.Len(t, bodies, 2)
			assert.JSONEq(t, `{"description":"Migrated"}`, bodies[0])
		}
	}
}

// A save with the other provider replaced the question IDs before the migration. The first read reports the detached
// answers once, as an import of the survey does, and the apply restores the old IDs.
func TestMigrationReportsDetachedAnswers(t *testing.T) {
	t.Parallel()

	for how, take := range takeOver {
		survey := official(t, "running")
		env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(survey.service))
		answer(t, env, "ann", "bob")
		before := questionIDs(t, only(t, env))
		withoutIDs(t, env, "1", nil)
		o := env.Resource(t, "posthog_survey")
		require.Empty(t, take(o, survey).Text())

		imported := env.Resource(t, "posthog_survey").Import("1/" + only(t, env)["id"].(string)).Text()
		require.Contains(t, imported, "Detached answers")
		assert.Equal(t, imported, o.Refresh().Text(), how)
		assert.Empty(t, o.Refresh().Text(), how)

		require.Empty(t, o.Apply(survey.config).Errors().Text(), how)
		assert.Equal(t, before, questionIDs(t, only(t, env)), how)
	}
}

// Before the first refresh (-refresh=false), the state lacks question IDs. An apply must still not replace the
// questions.
func TestMigratedSurveyWithoutRefresh(t *testing.T) {
	t.Parallel()

	for how, take := range takeOver {
		survey := official(t, "every_kind")
		env := acctest.Start(t, acctest.Fixtures(survey.service))
		before := questionIDs(t, only(t, env))
		o := env.Resource(t, "posthog_survey")
		require.Empty(t, take(o, survey).Text())
		requireEmpty(t, o, o.Plan(survey.config))

		diags := o.Apply(survey.reworded())
		assert.Contains(t, diags.Errors().Text(), "Plan again without -refresh=false", how)
		assert.Equal(t, before, questionIDs(t, only(t, env)))
		assert.Empty(t, env.RequestBodies(t, http.MethodPatch))
	}
}

// The plan after a migration shows edits in PostHog and values that the other provider doesn't expose.
func TestMigrationShowsDrift(t *testing.T) {
	t.Parallel()

	survey := official(t, "running")
	env := acctest.Start(t, acctest.Fixtures(survey.service))
	id, _ := only(t, env)["id"].(string)
	env.PatchSurvey(id, testserver.Object{"appearance": testserver.Object{"position": "left"}})

	o := env.Resource(t, "posthog_survey")
	require.Empty(t, o.UpgradeState(0, survey.attributes).Text())
	require.Empty(t, o.Refresh().Text())
	plan := o.Plan(survey.config)
	require.Empty(t, plan.Diagnostics.Errors().Text())
	assert.False(t, o.IsEmpty(plan))
	assert.NotEqual(t, o.State("appearance"), plan.Attribute(t, "appearance"))
	assert.Equal(t, o.State("questions"), plan.Attribute(t, "questions"))
}

// If a survey was deleted before the migration, it is planned as deleted. This isn't an import error.
func TestMigrationOfADeletedSurvey(t *testing.T) {
	t.Parallel()

	survey := official(t, "minimal")
	env := acctest.Start(t, acctest.Fixtures(survey.service))
	deleted(t, env)
	o := env.Resource(t, "posthog_survey")
	require.Empty(t, o.UpgradeState(0, survey.attributes).Text())
	diags := o.Refresh()
	assert.Contains(t, diags.Text(), "The survey no longer exists")
	assert.False(t, diags.HasError())
	assert.False(t, o.Exists())
}

// A state that no release of the other provider writes is refused with a remedy, and an object that isn't a survey is
// refused as well.
func TestMigrationRefuses(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t)
	for attributes, reason := range map[string]string{
		`{"id":"0190d6a4","project_id":"1","questions_json":"{}"}`:  "cannot unmarshal object",
		`{"id":"0190d6a4","project_id":"1","questions_json":"[{"}`:  "questions_json is not JSON",
		`{"id":"0190d6a4","project_id":"1","conditions_json":true}`: "conditions_json: ",
		`{"id":"0190d6a4","project_id":"1","archived":"yes"}`:       "archived",
	} {
		for how, take := range takeOver {
			o := env.Resource(t, "posthog_survey")
			diags := take(o, officialSurvey{attributes: []byte(attributes)})
			assert.Contains(t, diags.Errors().Text(), "Could not convert the state of provider posthog/posthog", how)
			assert.Contains(t, diags.Errors().Text(), reason, how)
			assert.Contains(t, diags.Errors().Text(), `import it with the ID "1/0190d6a4"`, how)
		}
	}

	attributes := official(t, "minimal").attributes
	for _, source := range []acctest.Source{
		{Provider: "registry.terraform.io/hashicorp/null", Type: "null_resource"},
		{Provider: "registry.terraform.io/posthog/posthog", Type: "posthog_feature_flag"},
		{Provider: "registry.terraform.io/somebody/posthog", Type: "posthog_survey"},
		{Provider: "registry.terraform.io/surveys-as-code/posthog", Type: "posthog_survey"},
	} {
		source.Attributes = attributes
		diags := env.Resource(t, "posthog_survey").Move(source)
		assert.Contains(t, diags.Errors().Text(), "does not include support for the given source resource", source.Provider)
	}
}

// A survey moves with its remembered history between this provider's addresses, such as in two registries.
func TestMoveBetweenAddresses(t *testing.T) {
	t.Parallel()

	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile))
		config := map[string]any{"name": " Trimmed ", "type": "popover", "questions": []any{map[string]any{"type": "open", "question": "Why & how?"}}}
		made, moved := env.Resource(t, "posthog_survey"), env.Resource(t, "posthog_survey")
		require.Empty(t, made.Apply(config).Errors().Text())

		require.Empty(t, moved.Move(made.Source("registry.opentofu.org/surveys-as-code/posthog")).Text())
		requireEmpty(t, moved, moved.Plan(config))
		require.Empty(t, moved.Refresh().Text())
		requireEmpty(t, moved, moved.Plan(config))
		assert.Equal(t, made.State("questions"), moved.State("questions"))
	}
}

// The other provider's state contains the ID of the flag that PostHog created for a survey. Replacing the ID with
// filters keeps the flag.
func TestFiltersReplaceTheIDOfTheOwnFlag(t *testing.T) {
	t.Parallel()
	const stored, others = `{"groups":[{"rollout_percentage":5}]}`, `{"groups":[{"rollout_percentage":7}]}`
	for _, profile := range profiles {
		for filters, sent := range map[string]string{stored: "", others: `{"targeting_flag_filters":` + others + `}`} {
			t.Run(string(profile)+" "+filters, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(`{"surveys":[{"project_id":"1","id":"`+surveyID+`","name":"Quiet","type":"popover",
					"targeting_flag":{"id":63,"key":"survey-targeting-c30e0ddcd6","filters":`+stored+`}}]}`))
				survey := env.Resource(t, "posthog_survey")
				require.Empty(t, survey.Import("1/"+surveyID).Text())
				require.Empty(t, survey.Upgrade(func(attributes map[string]any) {
					attributes["targeting_flag_id"], attributes["targeting_flag_filters"] = 63, nil
				}).Text())
				require.Empty(t, survey.Refresh().Text())
				require.True(t, survey.IsEmpty(survey.Plan(with(object{"targeting_flag_id": 63}))), "targeting_flag_id must stay valid")

				env.ResetJournal()
				config := with(object{"targeting_flag_filters": filters})
				require.Empty(t, survey.Apply(config).Text())
				var written string
				for _, request := range env.Journal() {
					if request.Method == http.MethodPatch {
						written += string(request.Body)
					}
				}
				if sent == "" {
					assert.Empty(t, written)
				} else {
					assert.JSONEq(t, sent, written)
				}

				flag, _ := only(t, env)["targeting_flag"].(map[string]any)
				assert.EqualValues(t, "63", flag["id"])
				assert.Equal(t, "survey-targeting-c30e0ddcd6", flag["key"])
				require.Empty(t, survey.Refresh().Text())
				assert.True(t, survey.IsEmpty(survey.Plan(config)))
			})
		}
	}
}
