package terraform_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A script copies a question with its ID, and the configuration contains the copy. The original keeps its ID, wherever
// the copy is, and the apply assigns a new one to the copy.
func TestL17CopiedQuestion(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		for _, isFirst := range []bool{false, true} {
			env := acctest.Start(t, acctest.Profile(profile))
			survey := env.Resource(t, "posthog_survey")
			a, b, c := object{"type": "open", "question": "a"}, object{"type": "open", "question": "b"}, object{"type": "open", "question": "c"}
			require.Empty(t, survey.Apply(asking(a, b)).Errors().Text())
			live, _ := only(t, env)["questions"].([]any)
			copied := maps.Clone(live[0].(map[string]any))
			copied["question"] = "c"
			saved, config := append(live, copied), asking(a, b, c)
			if isFirst {
				saved, config = []any{copied, live[0], live[1]}, asking(c, a, b)
			}
			_, err := env.Server.PatchSurvey(fmt.Sprint(only(t, env)["id"]), testserver.Object{"questions": saved})
			require.NoError(t, err)
			require.Empty(t, survey.Refresh().Errors().Text())

			plan := survey.Plan(config)
			assert.Contains(t, plan.Diagnostics.Text(), "This plan replaces the ID of a copied question")
			require.Empty(t, survey.ApplyPlan(plan).Errors().Text())
			ids := map[any]any{}
			for _, q := range only(t, env)["questions"].([]any) {
				ids[q.(map[string]any)["question"]] = q.(map[string]any)["id"]
			}
			assert.Equal(t, live[0].(map[string]any)["id"], ids["a"])
			assert.Equal(t, live[1].(map[string]any)["id"], ids["b"])
			assert.NotContains(t, []any{ids["a"], ids["b"], nil}, ids["c"])
			after := survey.Plan(config)
			assert.True(t, survey.IsEmpty(after))
			assert.Empty(t, after.Diagnostics.Text())
		}
	}
}
