package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// appAnswers is code in the example app that sends answers itself. Each line after a @ts-expect-error comment must
// fail to compile.
const appAnswers = `
import { checkout, type CheckoutAnswers } from "./surveys";

const { howEasyWasItToPay: score, whatWouldHaveMadeItEasier: comment } = checkout.questions;
export const right: CheckoutAnswers = { [score.key]: 5, [comment.key]: "One click less." };
export const withoutComment: CheckoutAnswers = { [score.key]: 1 };

// @ts-expect-error a score beyond the scale
export const wrong1: CheckoutAnswers = { "SCORE": 6 };
// @ts-expect-error a score as text
export const wrong2: CheckoutAnswers = { "SCORE": "5" };
// @ts-expect-error a comment as number
export const wrong3: CheckoutAnswers = { "COMMENT": 5 };
// @ts-expect-error an answer to a question that does not exist
export const wrong4: CheckoutAnswers = { "$survey_response_1": 5 };
// @ts-expect-error a question that does not exist
export const wrong5 = checkout.questions.howFastWasIt;
`

// methodAnswers is the code that the app adds after another question is added to the survey.
const methodAnswers = `
import { checkout as shop, type CheckoutAnswers as Answers } from "./surveys";

export const method: Answers = { [shop.questions.howDidYouPay.key]: "Card" };

// @ts-expect-error a choice that does not exist
export const wrong6: Answers = { "METHOD": "Cash" };
// @ts-expect-error several answers to a single choice
export const wrong7: Answers = { "METHOD": ["Card"] };
`

// In the example app, an answer of the wrong type or with an unknown choice does not compile. Existing code still
// compiles after another question is added to the survey.
func TestAccKeysOfTheExampleApp(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	terraform := env.CLI(t)
	survey := atRoot(t, "examples/app/survey.tf")
	terraform.Write("survey.tf", survey)
	terraform.Run("apply", "-auto-approve")

	file := filepath.Join(terraform.Dir, "surveys.ts")
	keys := func(flag string) int {
		code, printed := keysRun(t, env.Instance, "tf:"+terraform.Dir, flag, file, "--terraform", terraform.Path())
		assert.NotEqual(t, codeError, code, printed)
		return code
	}
	require.Equal(t, codeDone, keys("--out"))
	requireWrongAnswers(t, env, file, appAnswers)

	// The survey now also asks how customers paid.
	more := strings.Replace(survey, `easier?", optional = true },`,
		`easier?", optional = true },
    { type = "single_choice", question = "How did you pay?", choices = ["Card", "Invoice"] },`, 1)
	require.NotEqual(t, survey, more)
	terraform.Write("survey.tf", more)
	terraform.Run("apply", "-auto-approve")
	assert.Equal(t, codeDifferences, keys("--check"))
	require.Equal(t, codeDone, keys("--out"))
	assert.Equal(t, codeDone, keys("--check"))
	requireWrongAnswers(t, env, file, appAnswers+methodAnswers)
}

// requireWrongAnswers compiles the app's code with a generated file, and requires exactly the expected errors.
func requireWrongAnswers(t *testing.T, env *acctest.Env, file, code string) {
	t.Helper()
	surveys, err := os.ReadFile(file)
	require.NoError(t, err)
	for i, element := range env.Surveys(t)[0]["questions"].([]any) {
		name := []string{"SCORE", "COMMENT", "METHOD"}[i]
		code = strings.ReplaceAll(code, name, "$survey_response_"+questionOf([]any{element}, 0)["id"].(string))
	}
	assert.Empty(t, browsertest.TypeScriptErrors(t, map[string]string{"surveys.ts": string(surveys), "answers.ts": code}))

	bare := strings.ReplaceAll(code, "@ts-expect-error", "")
	said := browsertest.TypeScriptErrors(t, map[string]string{"surveys.ts": string(surveys), "answers.ts": bare})
	assert.Equal(t, strings.Count(code, "@ts-expect-error"), strings.Count(said, "error TS"), said)
}
