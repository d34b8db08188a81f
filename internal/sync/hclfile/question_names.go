package hclfile

import (
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// questionNames are the names of the questions that branching leads to, by place. It
// is empty for a survey without such branching, and for one that has targets which
// the function questions does not know, such as those of a newer service.
func questionNames(list []survey.Question) map[int]string {
	names := map[int]string{}
	for _, place := range targets(list) {
		if place == unknownTarget {
			return nil
		}
		if place >= 0 && place < len(list) {
			names[place] = ""
		}
	}

	taken := map[string]bool{}
	for place := range list {
		if _, isTarget := names[place]; isTarget {
			names[place] = QuestionName(list[place].Question.ValueString(), place, taken)
		}
	}
	return names
}

// questionName is a name made of the text of a question.
func questionName(text string, place int) string {
	name := Word(text, "question")
	if name == "question" {
		return fmt.Sprintf("question_%d", place+1)
	}
	if survey.CheckQuestionName(name) != nil {
		return "question_" + name
	}
	return name
}

// unique returns the name, with a number if it is taken.
func unique(name string, taken map[string]bool) string {
	candidate := name
	for n := 2; taken[candidate]; n++ {
		candidate = fmt.Sprintf("%s_%d", name, n)
	}
	taken[candidate] = true
	return candidate
}
