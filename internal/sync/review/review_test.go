package review_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

func TestFlow(t *testing.T) {
	t.Parallel()

	questions, err := review.Questions(source.Object{Name: "NPS", Attributes: map[string]any{"questions": []any{
		map[string]any{"type": "rating", "question": "Likely?", "scale": 10, "branching": map[string]any{
			"type": "response_based", "response_values": map[string]any{"detractors": "1", "passives": "end", "promoters": "elsewhere"},
		}},
		map[string]any{"type": "single_choice", "question": "Why?", "choices": []any{"a", "b"}, "optional": true, "branching": map[string]any{"type": "specific_question", "index": 0}},
	}}})
	require.NoError(t, err)
	assert.Equal(t, []flow.Question{
		{Kind: flow.Rating, Text: "Likely?", Scale: 10, Branching: flow.ResponseBased, Responses: map[string]int{"detractors": 1, "passives": flow.End, "promoters": flow.Next}},
		{Kind: flow.SingleChoice, Text: "Why?", Choices: 2, ChoiceTexts: []string{"a", "b"}, Optional: true, Branching: flow.SpecificQuestion, Responses: map[string]int{}},
	}, review.Flow(questions))

	none, err := review.Questions(source.Object{})
	require.NoError(t, err)
	assert.Empty(t, none)

	_, err = review.Questions(source.Object{Name: "NPS", Attributes: map[string]any{"questions": "many"}})
	assert.ErrorContains(t, err, `survey "NPS": questions do not have the format`)
}
