package review

import "github.com/surveys-as-code/terraform-provider-posthog/internal/flow"

// Redirect is branching that leads to another question than before although nobody edited
// it: it names a place in the list, and another question is there now.
type Redirect struct {
	// Question is the place of the question that branches, after the change.
	Question int `json:"question"`
	// Answers are the answers concerned; none when every answer is, or skipping alone.
	Answers []string `json:"answers,omitempty"`
	// Skipped is set when skipping the question is concerned.
	Skipped bool `json:"skipped,omitempty"`
	// Before and After are the texts of the questions that came next; empty for the end of the
	// survey.
	Before string `json:"before"`
	After  string `json:"after"`
}

// redirects are those of a survey whose questions change as given.
func redirects(before, after []Question, changes []QuestionChange) []Redirect {
	was := make([]int, len(after))
	for _, change := range changes {
		if change.To >= 0 {
			was[change.To] = change.From
		}
	}

	var found []Redirect
	for _, one := range flow.Redirects(Flow(before), Flow(after), was) {
		found = append(found, Redirect{
			Question: one.Question, Answers: one.Answers, Skipped: one.Skipped,
			Before: textAt(before, one.From), After: textAt(after, one.To),
		})
	}
	return found
}

func textAt(questions []Question, place int) string {
	if place == flow.End {
		return ""
	}
	return questions[place].Text
}
