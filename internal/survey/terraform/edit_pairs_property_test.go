package terraform_test

import (
	"context"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/fixedseed"
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

// The same with Terraform, all surveys in one configuration. SURVEY_EDIT_PAIRS is the
// number of pairs, 40 when it is not set: every survey takes the CLI a second or more.
func TestAccA3RandomEditsKeepQuestionIDs(t *testing.T) {
	t.Parallel()
	surveys := 40
	if testing.Short() {
		surveys = 10
	}
	if number := os.Getenv("SURVEY_EDIT_PAIRS"); number != "" {
		var err error
		surveys, err = strconv.Atoi(number)
		require.NoError(t, err, "SURVEY_EDIT_PAIRS")
	}

	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	pairs := make([]editPair, surveys)
	applied, configured := make([][]any, surveys), make([][]any, surveys)
	for i := range pairs {
		pairs[i] = editPairs().Example(i)
		applied[i], configured[i] = configuredAs(pairs[i].applied), configuredAs(pairs[i].config)
	}
	step := func(all [][]any) resource.TestStep {
		text, err := json.Marshal(all)
		require.NoError(t, err)
		return resource.TestStep{ConfigFile: file("edit_pairs.tf"), ConfigVariables: config.Variables{"surveys": config.StringVariable(string(text))}}
	}

	each := func(do func(i int, survey map[string]any)) {
		stored := env.Surveys(t)
		require.Len(t, stored, surveys)
		for _, survey := range stored {
			name, _ := survey["name"].(string)
			i, err := strconv.Atoi(strings.TrimPrefix(name, "Survey "))
			require.NoError(t, err)
			do(i, survey)
		}
	}
	ids := make([][]string, surveys)
	edit := step(configured)
	edit.PreConfig = func() {
		each(func(i int, survey map[string]any) {
			ids[i] = questionIDs(t, survey)
			env.PatchSurvey(survey["id"].(string), testserver.Object{"questions": pairs[i].inUI(ids[i])})
		})
	}
	checked := 0
	edit.ConfigStateChecks = []statecheck.StateCheck{look(func() {
		each(func(i int, survey map[string]any) {
			assert.Empty(t, pairs[i].wrongID(ids[i], questionIDs(t, survey)), "%d: %+v", i, pairs[i])
			checked++
		})
	})}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps:                    []resource.TestStep{step(applied), edit},
	})
	assert.Equal(t, surveys, checked)
}
