package survey_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Whatever was done to the questions in the web interface and in the configuration, an
// apply gives each question the id that it had when it was last applied, and no other
// question gets it.
func TestA3RandomEditsKeepQuestionIDs(t *testing.T) {
	t.Parallel()
	envs := map[testserver.Profile]*acctest.Env{}
	for _, profile := range profiles {
		envs[profile] = acctest.Start(t, acctest.Profile(profile))
		envs[profile].Differential(t)
	}
	rapid.Check(t, func(r *rapid.T) {
		if isLeftOut(r) {
			return
		}
		env := envs[rapid.SampledFrom(profiles).Draw(r, "profile")]
		pair := editPairs().Draw(r, "edits")
		env.SetFixtures("{}")
		survey := env.Resource(t, "posthog_survey")
		wantApplied(r, survey, asking(configuredAs(pair.applied)...))
		ids := questionIDs(t, only(t, env))

		editQuestions(t, env, func([]any) []any { return pair.inUI(ids) })
		if read := survey.Refresh(); read.HasError() {
			r.Fatal(read.Text())
		}
		wantApplied(r, survey, asking(configuredAs(pair.config)...))
		if wrong := pair.wrongID(ids, questionIDs(t, only(t, env))); wrong != "" {
			r.Fatal(wrong)
		}
		wantEmpty(r, survey, asking(configuredAs(pair.config)...))
	})
}

func wantApplied(r *rapid.T, survey *acctest.Resource, config object) {
	if applied := survey.Apply(config); applied.HasError() {
		r.Fatal(applied.Text())
	}
}

// look is a check of a step that looks at the server.
type look func()

// CheckState implements statecheck.StateCheck.
func (l look) CheckState(context.Context, statecheck.CheckStateRequest, *statecheck.CheckStateResponse) {
	l()
}

// The same with Terraform, 200 surveys in one configuration.
func TestAccA3RandomEditsKeepQuestionIDs(t *testing.T) {
	t.Parallel()
	const surveys = 200
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	pairs := map[string]editPair{}
	applied, configured := map[string][]any{}, map[string][]any{}
	for i := range surveys {
		name := fmt.Sprintf("Survey %03d", i)
		pairs[name] = editPairs().Example(i)
		applied[name], configured[name] = configuredAs(pairs[name].applied), configuredAs(pairs[name].config)
	}
	step := func(all map[string][]any) resource.TestStep {
		text, err := json.Marshal(all)
		require.NoError(t, err)
		return resource.TestStep{ConfigFile: file("edit_pairs.tf"), ConfigVariables: config.Variables{"surveys": config.StringVariable(string(text))}}
	}

	ids := map[string][]string{}
	edit := step(configured)
	edit.PreConfig = func() {
		for _, survey := range env.Surveys(t) {
			name, _ := survey["name"].(string)
			ids[name] = questionIDs(t, survey)
			env.PatchSurvey(survey["id"].(string), testserver.Object{"questions": pairs[name].inUI(ids[name])})
		}
	}
	edit.ConfigStateChecks = []statecheck.StateCheck{look(func() {
		for _, survey := range env.Surveys(t) {
			name, _ := survey["name"].(string)
			assert.Empty(t, pairs[name].wrongID(ids[name], questionIDs(t, survey)), "%s: %+v", name, pairs[name])
		}
	})}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps:                    []resource.TestStep{step(applied), edit},
	})
	assert.Len(t, ids, surveys)
}
