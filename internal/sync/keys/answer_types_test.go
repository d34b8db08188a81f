package keys

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	testify "github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
)

// example returns a survey with a question of each type.
func example(t *testing.T) []Survey {
	t.Helper()
	question := func(id, kind, text string, more map[string]any) map[string]any {
		attributes := map[string]any{"id": id, "type": kind, "question": text}
		maps.Copy(attributes, more)
		return attributes
	}
	return read(t, []source.Object{{Kind: source.Survey, ID: "0190d6a4-0000-7000-8000-000000000001", Name: "NPS", Attributes: map[string]any{"questions": []any{
		question("q1", "rating", "Score", map[string]any{"scale": json.Number("10"), "display": "number"}),
		question("q2", "single_choice", "Reason", map[string]any{"choices": []any{"Too expensive", "Too slow"}, "optional": true}),
		question("q3", "multiple_choice", "Features", map[string]any{"choices": []any{"Surveys", "Flags"}}),
		question("q4", "open", "Comment", nil),
		question("q5", "link", "Call", nil),
		question("q6", "single_choice", "Source", map[string]any{
			"choices": []any{"Friends", "Other"}, "has_open_choice": true,
			"translations": map[string]any{"de": map[string]any{"choices": []any{"Freunde", "Anderes"}}},
		}),
	}}}}, nil)
}

// answers is code in an app. Each line after a @ts-expect-error comment must fail to compile.
const answers = `
import { nps, type NpsAnswers, type NpsReasonAnswer } from "./surveys";

export const right: NpsAnswers = {
  [nps.questions.score.key]: 9,
  [nps.questions.reason.key]: "Too expensive",
  [nps.questions.features.key]: ["Surveys", "Flags"],
  [nps.questions.comment.key]: "Nothing",
  [nps.questions.call.key]: "link clicked",
  [nps.questions.source.key]: "A text of their own",
};
export const skipped: NpsAnswers = { $survey_response_q2: null };
export const none: NpsAnswers = {};
export const first: NpsReasonAnswer = nps.questions.reason.choices[0];

// @ts-expect-error a score beyond the scale
export const wrong1: NpsAnswers = { $survey_response_q1: 11 };
// @ts-expect-error a score as text
export const wrong2: NpsAnswers = { $survey_response_q1: "9" };
// @ts-expect-error a choice that does not exist
export const wrong3: NpsAnswers = { $survey_response_q2: "Too cheap" };
// @ts-expect-error several answers to a single choice
export const wrong4: NpsAnswers = { $survey_response_q2: ["Too slow"] };
// @ts-expect-error one answer to a multiple choice
export const wrong5: NpsAnswers = { $survey_response_q3: "Flags" };
// @ts-expect-error a choice of several that does not exist
export const wrong6: NpsAnswers = { $survey_response_q3: ["Flags", "Toggles"] };
// @ts-expect-error a number as text
export const wrong7: NpsAnswers = { $survey_response_q4: 7 };
// @ts-expect-error a link that was followed has one answer
export const wrong8: NpsAnswers = { $survey_response_q5: "clicked" };
// @ts-expect-error a question that does not exist
export const wrong9: NpsAnswers = { $survey_response_q9: "x" };
// @ts-expect-error a question that may not be skipped
export const wrong10: NpsAnswers = { $survey_response_q1: null };
// @ts-expect-error a number in place of a text
export const wrong11: NpsAnswers = { $survey_response_q6: 1 };
// @ts-expect-error a question that does not exist
export const wrong12 = nps.questions.reasons;
// @ts-expect-error a constant that is changed
nps.id = "x";
`

// An answer of the wrong type or with an unknown choice does not compile.
func TestWrongAnswersDoNotCompile(t *testing.T) {
	t.Parallel()
	surveys := render(t, example(t), TypeScript)
	assert.Empty(t, browsertest.TypeScriptErrors(t, map[string]string{"surveys.ts": surveys, "app.ts": answers}))

	// Each of these lines must cause an error.
	wrong := strings.Count(answers, "@ts-expect-error")
	bare := strings.ReplaceAll(answers, "@ts-expect-error", "")
	said := browsertest.TypeScriptErrors(t, map[string]string{"surveys.ts": surveys, "app.ts": bare})
	assert.Equal(t, wrong, strings.Count(said, "error TS"), said)
}

// Read omits questions without an ID, and reports them.
func TestQuestionsWithoutID(t *testing.T) {
	t.Parallel()
	object := source.Object{Kind: source.Survey, ID: "0190d6a4-0000-7000-8000-000000000001", Name: "NPS", Attributes: map[string]any{"questions": []any{
		map[string]any{"type": "open", "question": "None"}, map[string]any{"id": "a", "type": "open", "question": "First"},
		map[string]any{"id": "a", "type": "open", "question": "Second"},
	}}}
	surveys, without, err := Read([]source.Object{object, {Kind: source.App, Name: "GeoIP"}}, nil)
	testify.NoError(t, err)
	assert.Equal(t, []WithoutID{{"NPS", "None", 1}, {"NPS", "Second", 3}}, without)
	testify.Len(t, surveys, 1)
	testify.Len(t, surveys[0].Questions, 1)

	object.ID = ""
	_, _, err = Read([]source.Object{object}, nil)
	assert.ErrorContains(t, err, "does not have an ID yet")
}
