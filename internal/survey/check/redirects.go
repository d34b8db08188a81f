package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// redirectedAnswers lists, one a line, the answers that lead to another question than
// before because questions were inserted, moved or removed: branching refers to positions,
// not to questions.
func redirectedAnswers(p survey.QuestionPairs) []string {
	before := make([]int, len(p.Origins))
	for i := range before {
		before[i] = p.PriorIndex(i)
	}

	var lines []string
	for _, one := range flow.Redirects(graphOf(p.Before), graphOf(p.After), before) {
		lines = append(lines, fmt.Sprintf("questions[%d]: %sled to %s, now leads to %s",
			one.Question, answersOf(one), targetText(p.Before, one.From), targetText(p.After, one.To)))
	}
	return lines
}

// graphOf converts questions for package flow. A question with unknown branching has none
// there.
func graphOf(list []survey.Question) []flow.Question {
	graph := make([]flow.Question, len(list))
	for i, q := range list {
		graph[i] = FlowQuestion(q)
		if !isBranchKnown(q) {
			graph[i].Branching = ""
		}
	}
	return graph
}

// isBranchKnown reports whether everything is known that decides where a question leads.
func isBranchKnown(q survey.Question) bool {
	way, index, values := branchingOf(q)
	if !attribute.IsKnown(q.Branching) || !attribute.IsKnown(way) || index.IsUnknown() || values.IsUnknown() {
		return false
	}
	if slices.ContainsFunc(FlowValues(q), attr.Value.IsUnknown) {
		return false
	}

	for _, element := range values.Elements() {
		if element.IsUnknown() {
			return false
		}
	}
	for _, element := range q.Choices.Elements() {
		if element.IsUnknown() {
			return false
		}
	}
	return true
}

// answersOf starts a sentence with the redirected answers; empty when all answers are.
func answersOf(one flow.Redirect) string {
	quoted := make([]string, len(one.Answers))
	for i, answer := range one.Answers {
		quoted[i] = survey.Excerpt(types.StringValue(answer))
	}
	skipping := ""
	if one.Skipped {
		skipping = "skipping it "
	}

	switch {
	case len(quoted) == 0:
		return skipping
	case one.Skipped:
		skipping = " or " + skipping
	default:
		skipping = " "
	}
	if len(quoted) == 1 {
		return "the answer " + quoted[0] + skipping
	}
	return "each of the answers " + strings.Join(shortList(quoted), ", ") + skipping
}

// targetText quotes the question at a position.
func targetText(list []survey.Question, at int) string {
	if at == flow.End {
		return "the end of the survey"
	}
	return survey.Excerpt(list[at].Question)
}
