package terraform_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The configuration that is generated for any survey plans no change.
func TestGeneratedConfigPlansNothing(t *testing.T) {
	t.Parallel()

	for _, profile := range profiles {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(profile))
			rapid.Check(t, func(r *rapid.T) {
				if isLeftOut(r) {
					return
				}
				stored := surveys(true).Draw(r, "survey")
				stored["project_id"] = "1"
				if profile == testserver.Hosted {
					asSaved(stored)
				}
				env.SetFixtures(encoded(r, object{"surveys": []any{stored}}))

				o := env.Resource(t, "posthog_survey")
				require.Empty(r, o.Import(surveyID).Errors().Text())
				_, plan := o.PlanGenerated()
				require.Empty(r, plan.Diagnostics.Errors().Text())
				require.True(r, o.IsEmpty(plan))
			})
		})
	}
}

// It says nothing of defaults, and names the project when the provider's is another one.
func TestGeneratedConfigIsMinimal(t *testing.T) {
	t.Parallel()

	stated := func(env *acctest.Env, id string) []string {
		o := env.Resource(t, "posthog_survey")
		require.Empty(t, o.Import(id).Errors().Text())
		config, plan := o.PlanGenerated()
		require.True(t, o.IsEmpty(plan))
		var names []string
		for name, value := range config {
			if value != nil {
				names = append(names, name)
			}
		}
		return names
	}

	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(`{"surveys":[
		{"project_id":"1","id":"`+surveyID+`","name":"NPS","type":"popover","questions":[{"id":"q","type":"open","question":"Why?"}]},
		{"project_id":"2","id":"018d4b5c-7a3e-7f21-9c6d-000000000002","name":"NPS","type":"popover","start_date":"2026-01-01T00:00:00Z","archived":true}],
		"projects":[{"id":"1"},{"id":"2"}]}`))
	assert.ElementsMatch(t, []string{"name", "type", "questions"}, stated(env, surveyID))
	assert.ElementsMatch(t, []string{"project_id", "name", "type", "start_date", "archived"}, stated(env, "2/018d4b5c-7a3e-7f21-9c6d-000000000002"))
}

// The web interface writes null for what a question does not have. A configuration has
// nothing to say of that, unlike of keys that the schema does not know.
func TestGeneratedConfigOmitsNullsOfQuestions(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(`{"surveys":[
		{"project_id":"1","id":"`+surveyID+`","name":"NPS","type":"popover","questions":[
			{"id":"q1","type":"open","question":"Why?","branching":null,"description":null},
			{"id":"q2","type":"open","question":"Who?","branching":null,"later":[1],"unknown":null}]}]}`))
	o := env.Resource(t, "posthog_survey")
	require.Empty(t, o.Import(surveyID).Errors().Text())

	config, plan := o.PlanGenerated()
	require.True(t, o.IsEmpty(plan))
	questions, ok := config["questions"].([]any)
	require.True(t, ok)
	first, _ := questions[0].(map[string]any)
	assert.Nil(t, first["extra"])
	second, _ := questions[1].(map[string]any)
	assert.JSONEq(t, `{"later":[1],"unknown":null}`, second["extra"].(string))
}
