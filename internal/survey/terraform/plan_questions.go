package terraform

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// planQuestions plans the list of questions: each planned question takes omitted values
// from the matching prior question. Terraform itself would take them from the same position
// in the list.
func planQuestions(config survey.Questions, planned *survey.Questions, pairs survey.QuestionPairs) {
	if list, known := planned.Known(); config.IsNull() || !known || len(list) != len(pairs.Origins) {
		return
	}

	questions := slices.Clone(planned.List())
	for i, from := range pairs.Origins {
		question := &questions[i]
		if from.Prior < 0 {
			question.Extra = pairs.After[i].Extra
		} else {
			survey.PlanQuestion(question, pairs.After[i], pairs.Before[from.Prior], i == from.Prior)
		}

		var inState types.String
		if i < len(pairs.Before) {
			inState = pairs.Before[i].ID
		}
		question.ID = plannedID(pairs.After[i].ID, inState, from)
	}
	*planned = survey.NewQuestions(questions)
}

// plannedID is the planned id of a question. For a configured "" Terraform accepts only ""
// or the id in the state at the same position; the request always has the id of the
// question.
func plannedID(config, inState types.String, from survey.Origin) types.String {
	switch {
	case config.IsNull() && from.Prior < 0 && from.ID.IsNull():
		return types.StringUnknown()
	case config.IsNull():
		return from.ID
	case survey.IsOmittedID(config) && !survey.IsOmittedID(inState) && inState.Equal(from.ID):
		return inState
	}
	return config
}
