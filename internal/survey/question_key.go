package survey

import "github.com/hashicorp/terraform-plugin-framework/types"

// QuestionKey has the attributes by which questions are matched.
type QuestionKey struct{ ID, Type, Text string }

// MatchQuestions returns for each question of after the index of the matching question of
// before, -1 for a new one, by the rules of a plan.
func MatchQuestions(before, after []QuestionKey) []int {
	origins := Match(questionsOfKeys(before), QuestionHistory{}, questionsOfKeys(after))

	indexes := make([]int, len(origins))
	for i, origin := range origins {
		indexes[i] = origin.Prior
	}
	return indexes
}

func questionsOfKeys(keys []QuestionKey) []Question {
	questions := make([]Question, len(keys))
	for i, key := range keys {
		questions[i] = Question{Type: types.StringValue(key.Type), Question: types.StringValue(key.Text)}
		if key.ID != "" {
			questions[i].ID = types.StringValue(key.ID)
		}
	}
	return questions
}
