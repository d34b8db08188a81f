package keys

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
)

func TestCodebookTellsNoEndFromTheEnd(t *testing.T) {
	t.Parallel()

	graph := []flow.Question{{
		Kind: flow.SingleChoice, Choices: 2, ChoiceTexts: []string{"Yes", "No"},
		Branching: flow.ResponseBased, Responses: map[string]int{"0": flow.End, "1": 7},
	}}

	steps := groupSteps(graph, 0)

	if assert.Len(t, steps, 2) {
		assert.Equal(t, "the end", destination(Survey{}, steps[0]))
		assert.Equal(t, "no end: apps show nothing more, and do not send the survey", destination(Survey{}, steps[1]))
	}
}
