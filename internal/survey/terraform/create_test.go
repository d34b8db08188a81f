package terraform_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// full is a survey with something in it that each profile returns in its own way.
func full() map[string]any {
	return map[string]any{
		"name": " NPS ", "type": "popover", "description": "", "status": "running",
		"conditions": `{"url":"https://example.com","urlMatchType":"icontains"}`,
		"appearance": `{"thankYouMessageHeader":"<b>Thanks"}`,
		"questions":  []any{map[string]any{"type": "open", "question": "Why <i>this</i>?"}},
	}
}

// A survey whose answer is lost is taken into the state, and nothing is left to do.
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

// A create that may still go on ends with what to do, and the next run makes one survey.
func TestCreateOfUnknownOutcome(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]testserver.Fault{
		"504": {Status: 504, To: 2}, "drop": {Drop: "before", To: 2}, "page": {HTML: true, To: 1}, // after the others a second request follows
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			fault.Method = "POST"
			env.SetFaults(fault)
			survey := env.Resource(t, "posthog_survey")
			found := survey.Apply(full()).Errors()
			require.Len(t, found, 1)
			assert.Contains(t, found[0].Detail, "Whether it was created is not known")
			assert.Contains(t, found[0].Detail, "Run the same command again")
			assert.Nil(t, survey.State("id"))
			require.Empty(t, survey.Apply(full()).Errors().Text())
			assert.Equal(t, only(t, env)["id"], survey.State("id"))
		})
	}
}

// A name that is taken leads to the block that takes its survey over.
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
