package terraform_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// A survey that is replaced is a new one: its questions get new ids, but for those that
// the configuration gives, and later edits are matched with these.
func TestReplacedSurveyHasNewQuestions(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		for how, project := range map[string]any{"in its project": nil, "in another project": "2"} {
			t.Run(string(profile)+" "+how, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(`{"projects":[{"id":1},{"id":2}]}`))
				survey := env.Resource(t, "posthog_survey")
				config := asking(open(nil), open(object{"id": "given", "question": "Else?"}))
				require.Empty(t, survey.Apply(config).Errors().Text())
				before := questionIDs(t, only(t, env))

				config["project_id"] = project
				if project == nil {
					planned, _ := survey.PlanReplace(config).Attribute(t, "questions").([]any)
					require.Len(t, planned, 2)
					assert.Equal(t, tftypes.UnknownValue, planned[0].(object)["id"])
				} else {
					plan := survey.Plan(config)
					assert.NotEmpty(t, plan.RequiresReplace)
				}
				require.Empty(t, survey.Destroy().Errors().Text())
				require.Empty(t, survey.Apply(config).Errors().Text())
				after := questionIDs(t, object{"questions": survey.State("questions")})
				assert.NotEqual(t, before[0], after[0])
				assert.Equal(t, "given", after[1])

				id, _ := survey.State("id").(string)
				env.PatchSurvey(id, object{"questions": []any{open(object{"id": after[0], "question": "Reworded in the web interface"})}})
				require.Empty(t, survey.Refresh().Errors().Text())
				require.Empty(t, survey.Apply(config).Errors().Text())
				assert.Equal(t, after, questionIDs(t, object{"questions": survey.State("questions")}))
			})
		}
	}
}

// A survey that takes the name of one which is renamed in the same run replaces nothing.
func TestNameOfARenamedSurveyIsFree(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	both := env.Resources(t, "posthog_survey", 2)
	old := object{"name": "NPS", "type": "popover", "status": "running", "deletion_policy": "archive"}
	require.Empty(t, both[0].Apply(old).Errors().Text())

	env.NextRun(t, both...)
	require.Empty(t, both[0].Refresh().Text())
	assert.Contains(t, both[1].Plan(object{"name": "NPS", "type": "popover"}).Diagnostics.Errors().Text(), "its name stays taken")

	old["name"] = "NPS of 2025"
	require.Empty(t, both[0].Apply(old).Errors().Text())
	created := both[1].Plan(object{"name": "NPS", "type": "popover"})
	require.Empty(t, created.Diagnostics.Text())
	require.Empty(t, both[1].ApplyPlan(created).Errors().Text())
	assert.Len(t, env.Surveys(t), 2)
}
