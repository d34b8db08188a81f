package page

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
)

// A response without a next question does not end the survey: it is not drawn together with
// those that do.
func TestBranchesTellNoEndFromTheEnd(t *testing.T) {
	t.Parallel()

	questions := []flow.Question{{
		Kind: flow.SingleChoice, Choices: 2, ChoiceTexts: []string{"Yes", "No"},
		Branching: flow.ResponseBased, Responses: map[string]int{"0": flow.End, "1": 7},
	}}

	branches := branchesOf(questions, 0)

	if assert.Len(t, branches, 2) {
		assert.True(t, branches[0].IsEnd && !branches[0].NoEnd, "%+v", branches[0])
		assert.True(t, branches[1].NoEnd && !branches[1].IsEnd, "%+v", branches[1])
		assert.Equal(t, "“No”", branches[1].When)
	}
}
