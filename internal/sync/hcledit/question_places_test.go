package hcledit

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// A question without an id is the one at its place only if that has its type: else the edit
// would make one question of two, such as a rating with choices.
func TestPlacesOfAnotherTypeAreOtherQuestions(t *testing.T) {
	t.Parallel()
	file, err := Parse("main.tf", []byte(`resource "posthog_survey" "s" {
  questions = [
    { type = "open", question = "One?" },
    { type = "single_choice", question = "Two?", choices = ["a", "b"] },
  ]
}
`))
	require.NoError(t, err)
	open := func(text string) any { return map[string]any{"type": "open", "question": text} }
	choice := map[string]any{"type": "single_choice", "question": "Two?", "choices": []any{"a", "b"}}
	rating := map[string]any{"type": "rating", "question": "Three?", "display": "emoji"}
	list := func(questions ...any) any { return map[string]any{"questions": questions} }

	v := Versions{list(open("One?"), open("Zero?")), list(open("One?"), choice), list(open("One!"), rating)}
	file.Merge(file.Resource("posthog_survey", "s"), v, code.Order(code.SurveyType), Identities{})
	edited, err := file.Bytes()
	require.NoError(t, err)
	assert.Contains(t, string(edited), `    { type = "open", question = "One!" },`)
	assert.Contains(t, string(edited), `    { type = "single_choice", question = "Two?", choices = ["a", "b"] },`)
	assert.Contains(t, string(edited), `"Three?"`)
	assert.NotContains(t, string(edited), `"Zero?"`)
}
