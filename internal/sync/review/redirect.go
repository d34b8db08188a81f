package review

import "github.com/surveys-as-code/terraform-provider-posthog/internal/flow"

// Redirect is branching that leads to another question than before although nobody edited
// it: branching refers to positions, and another question has the position now.
type Redirect struct {
	// Question is the position of the branching question after the change.
	Question int `json:"question"`
	// Answers are the affected answers; none when all are affected, or only skipping.
	Answers []string `json:"answers,omitempty"`
	// Skipped is set when skipping the question is affected.
	Skipped bool `json:"skipped,omitempty"`
	// Before and After are the texts of the next question before and after the change; empty
	// for the end of the survey.
	Before string `json:"before"`
	After  string `json:"after"`
}

// redirects are the redirects of a survey whose questions change as given.
func redirects(before, after []Question, changes []QuestionChange) []Redirect {
	origins := make([]int, len(after))
	for _, change := range changes {
		if change.To >= 0 {
			origins[change.To] = change.From
		}
	}

	var list []Redirect
	for _, redirect := range flow.Redirects(Flow(before), Flow(after), origins) {
		list = append(list, Redirect{
			Question: redirect.Question, Answers: redirect.Answers, Skipped: redirect.Skipped,
			Before: textAt(before, redirect.From), After: textAt(after, redirect.To),
		})
	}
	return list
}

func textAt(questions []Question, index int) string {
	if index == flow.End {
		return ""
	}
	return questions[index].Text
}
