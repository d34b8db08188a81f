package review

import (
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
)

func unreachableQuestions(s surveyFacts) []string {
	var messages []string
	for _, i := range flow.Unreachable(Flow(s.questions)) {
		messages = append(messages, fmt.Sprintf("no answer leads to questions[%d] %q", i, s.questions[i].Text))
	}
	return messages
}

func loops(s surveyFacts) []string { return loopMessages(s, false) }

func endlessLoops(s surveyFacts) []string { return loopMessages(s, true) }

func loopMessages(s surveyFacts, endless bool) []string {
	var messages []string
	for _, loop := range flow.Loops(Flow(s.questions)) {
		if loop.Endless == endless {
			messages = append(messages, fmt.Sprintf("%s can repeat%s", questionPaths(loop.Questions), map[bool]string{true: ", and no answer leads out of the loop", false: ": if a question is answered again, only the last answer is kept"}[endless]))
		}
	}
	return messages
}

func questionPaths(indexes []int) string {
	paths := make([]string, len(indexes))
	for i, index := range indexes {
		paths[i] = fmt.Sprintf("questions[%d]", index)
	}
	return strings.Join(paths, ", ")
}

// deadEnds finds questions after which the web SDK neither shows another question nor ends the survey.
func deadEnds(s surveyFacts) []string {
	const nothing = "the web SDK then shows nothing and does not end the survey, so answers that it has not sent yet are lost. "
	var messages []string
	for _, end := range flow.DeadEnds(Flow(s.questions)) {
		if len(end.When) == 0 {
			messages = append(messages, fmt.Sprintf("questions[%d] leads to a question that does not exist: %s"+`Remove its branching, or set type = "end"`, end.Question, nothing))
			continue
		}
		repair := fmt.Sprintf(`Set %s = "end"`, end.When[0])
		if end.When[0] == flow.Skipped {
			repair = "Require an answer"
		}
		messages = append(messages, fmt.Sprintf("questions[%d] leads neither to a question nor to the end for %s: %s%s", end.Question, and(end.When), nothing, repair))
	}
	return messages
}
