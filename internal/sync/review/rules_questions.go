package review

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/sdkversion"
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
			messages = append(messages, fmt.Sprintf("%s can repeat%s", questionPaths(loop.Questions), map[bool]string{true: ", and no answer leads out of the loop", false: ": of answers that are given again, the last ones are kept"}[endless]))
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

// shuffledPartials finds questions that are not shuffled although the survey says so.
func shuffledPartials(s surveyFacts) []string {
	if len(s.questions) < 2 || appearance(s, "shuffleQuestions") != true || s.Attributes["enable_partial_responses"] != true {
		return nil
	}
	return []string{"appearance.shuffleQuestions has no effect: with enable_partial_responses the SDKs keep the order of questions. Leave one of the two out"}
}

// skippedRatings finds ratings that older web SDKs cannot leave without an answer.
func skippedRatings(s surveyFacts) []string {
	if web, ok := s.options.SDKs[sdkversion.Web]; ok && sdkversion.Compare(web, "1.438.24") >= 0 {
		return nil
	}
	var messages []string
	for i, q := range s.questions {
		// Without a submit button there is nothing to skip the question with.
		if q.Type == "rating" && q.Optional && q.branchesByResponse() && !q.submitsByClick() {
			messages = append(messages, fmt.Sprintf("questions[%d] is optional and branches by its rating: in posthog-js before 1.438.24, whoever skips it cannot go on. "+
				"Require an answer, or use a newer version", i))
		}
	}
	return messages
}

func (q Question) branchesByResponse() bool {
	return q.Branching != nil && q.Branching.Type == string(flow.ResponseBased)
}

// deadEnds finds questions after which the web SDK neither goes on nor ends.
func deadEnds(s surveyFacts) []string {
	const nothing = "the web SDK then shows nothing and does not end the survey, so answers that it has not sent yet are lost. "
	var messages []string
	for _, end := range flow.DeadEnds(Flow(s.questions)) {
		if len(end.When) == 0 {
			messages = append(messages, fmt.Sprintf("questions[%d] is to go on to a question that does not exist: %s"+`Leave its branching out, or set type = "end"`, end.Question, nothing))
			continue
		}
		repair := fmt.Sprintf(`Set %s = "end"`, end.When[0])
		if end.When[0] == flow.Skipped {
			repair = "Require an answer"
		}
		messages = append(messages, fmt.Sprintf("questions[%d] leads to no question and to no end for %s: %s%s", end.Question, and(end.When), nothing, repair))
	}
	return messages
}

// missingBuckets finds parts of a scale without a branch of their own, where they share the
// branch of another part.
func missingBuckets(s surveyFacts) []string {
	var messages []string
	graph := Flow(s.questions)
	for i, q := range s.questions {
		if q.Type != "rating" || !q.branchesByResponse() {
			continue
		}
		var missing, sharing []string
		for _, key := range flow.ResponseKeys(graph[i]) {
			target, ok := q.Branching.ResponseValues[key]
			switch {
			case !ok:
				missing = append(missing, key)
			case target == strconv.Itoa(i+1):
				sharing = append(sharing, key)
			}
		}

		if len(missing) > 0 && len(sharing) > 0 {
			messages = append(messages, fmt.Sprintf("questions[%d] has no branch for %s, so they go on to questions[%d], as %s do by their branch: "+
				`name the target, %s = "%d" or another`, i, and(missing), i+1, and(sharing), missing[0], i+1))
		}
	}
	return messages
}

// partialDefault finds code that leaves enable_partial_responses out, beside surveys that have
// it: false is the default of the interface, true that of the web interface.
func partialDefault(s surveyFacts, others []surveyFacts) []string {
	if len(s.questions) < 2 || s.Configured == nil || slices.Contains(s.Configured, "enable_partial_responses") {
		return nil
	}
	if s.Attributes["enable_partial_responses"] == true {
		return nil
	}

	var with []string
	for _, other := range others {
		if !other.isOver() && other.Attributes["enable_partial_responses"] == true {
			with = append(with, strconv.Quote(other.Name))
		}
	}
	if len(with) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the code does not set enable_partial_responses, so the answers of people who leave midway are lost; %s keep them, as surveys from the web interface do. "+
		"Set it to true, or to false if that is meant", shortList(with))}
}
