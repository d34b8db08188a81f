package check

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// checkBranching checks each question's branching, and then the survey's flow. It skips the flow if a part of it is
// unknown.
func checkBranching(s candidate, findings *Findings) {
	graph := make([]flow.Question, len(s.Questions.List()))
	complete, branches := true, false
	for i, q := range s.Questions.List() {
		count := len(*findings)
		checkBranch(atQuestion(i), q, findings)
		graph[i] = FlowQuestion(q)
		branches = branches || attribute.IsKnown(q.Branching)
		complete = complete && (q.Branching.IsNull() || isBranchKnown(q)) && len(*findings) == count
	}

	for _, stray := range flow.OutOfRange(graph) {
		p := atQuestion(stray.Question).attribute("branching")
		if stray.Key == "" {
			p = p.attribute("index")
		} else {
			p = p.attribute("response_values").mapKey(stray.Key)
		}
		findings.errorf(p, targetOutOfRange, "is %d, but the %s.", stray.To, positionRange(len(graph))).dedupKey = strconv.Itoa(stray.To)
		complete = false
	}

	if complete && branches {
		checkGraph(graph, findings)
	}
}

func positionRange(n int) string {
	if n == 1 {
		return "only question is at position 0"
	}
	return "questions are at positions 0 to " + strconv.Itoa(n-1)
}

// checkGraph checks the flow of the survey.
func checkGraph(graph []flow.Question, findings *Findings) {
	for _, i := range flow.Unreachable(graph) {
		findings.warnf(atQuestion(i), unreachableQuestion, "is never shown, because neither branching nor the question before it leads to it.")
	}

	for _, end := range flow.DeadEnds(graph) {
		p := atQuestion(end.Question).attribute("branching")
		if len(end.When) == 0 {
			findings.warnf(p, deadEnd, "leads to a position after the last question. posthog-js then shows nothing and does not end the survey, so answers are lost. "+
				`Remove branching, or set type = "end".`)
			continue
		}
		findings.warnf(p, deadEnd, "does not lead to a question for %s. posthog-js then shows nothing and does not end the survey, so answers are lost. "+
			`Set their targets in response_values, such as "end"%s.`, strings.Join(end.When, ", "), requiredBeside(end.When))
	}

	for _, loop := range flow.Loops(graph) {
		p := atQuestion(loop.Questions[0])
		var words []string
		for _, position := range loop.Questions {
			words = append(words, atQuestion(position).String())
		}

		way := "Some answers leave the loop."
		if loop.Endless {
			way = "No answer leads to the end of the survey."
		}

		if len(words) == 1 {
			findings.warnf(p, branchesToItself, "is shown again after it is answered. %s", way)
		} else {
			findings.warnf(p, branchingLoop, "is in a loop with %s. %s", strings.Join(words[1:], ", "), way).dedupKey = strconv.Itoa(len(words))
		}
	}
}

// requiredBeside returns the additional remedy for answers that include skipping, because skipping cannot have its own
// target.
func requiredBeside(when []string) string {
	if slices.Contains(when, flow.Skipped) {
		return `, and set optional = false, because skipping cannot have its own target`
	}
	return ""
}

// checkBranch checks the branching of one question.
func checkBranch(p location, q survey.Question, findings *Findings) {
	way, index, values := branchingParts(q)
	if !attribute.IsKnown(q.Branching) || way.IsUnknown() || q.Type.IsUnknown() {
		return
	}

	p = p.attribute("branching")
	switch specific := flow.Branching(way.ValueString()) == flow.SpecificQuestion; {
	case specific && index.IsNull():
		findings.errorf(p.attribute("index"), missingBranchingTarget, `must be set for the type "specific_question". Set it to the position of the next question, counted from 0.`).remedy = namesRemedy
	case !specific && attribute.IsKnown(index) && api.SurveyBranchingType(way.ValueString()).Valid():
		findings.errorf(p.attribute("index"), otherBranching, `applies only to the type "specific_question", but the type is %q.`, way.ValueString())
	}

	if flow.Branching(way.ValueString()) != flow.ResponseBased {
		if len(values.Elements()) > 0 && api.SurveyBranchingType(way.ValueString()).Valid() {
			findings.errorf(p.attribute("response_values"), otherBranching, `applies only to the type "response_based", but the type is %q.`, way.ValueString())
		}
		return
	}
	checkResponses(p, q, values, findings)
}

// checkResponses checks branching by the response.
func checkResponses(p location, q survey.Question, values types.Map, findings *Findings) {
	kind := api.SurveyQuestionType(q.Type.ValueString())
	if kind.Valid() && !flow.BranchesByResponse(flow.Kind(kind)) {
		findings.errorf(p.attribute("type"), otherQuestionType,
			`is "response_based", which only questions of type rating and single_choice support. This question has the type %s.`, kind)
		return
	}

	p = p.attribute("response_values")
	if values.IsUnknown() {
		return
	}
	if len(values.Elements()) == 0 {
		findings.warnf(p, emptyResponses, "is empty, so every response leads to the next question.")
	}

	for _, key := range slices.Sorted(maps.Keys(values.Elements())) {
		target, ok := values.Elements()[key].(types.String)
		if _, isTarget := survey.ParseTarget(target.ValueString()); ok && !target.IsUnknown() && !isTarget {
			findings.errorf(p.mapKey(key), invalidBranchingTarget, `is %s. Use the position of a question, such as "2", or "end". To go to the next question, remove the key.`,
				strconv.Quote(target.ValueString())).remedy = namesRemedy
		}
	}

	for _, key := range flow.UnknownResponseKeys(FlowQuestion(q)) {
		findings.errorf(p.mapKey(key), unknownResponseKey, "is not a response to this question. Its responses are: %s.%s",
			strings.Join(flow.ResponseKeys(FlowQuestion(q)), ", "), keyMeant(q, key))
	}
}

// keyMeant suggests the right key if a key is a choice's text or a rating's value.
func keyMeant(q survey.Question, key string) string {
	for i, element := range q.Choices.Elements() {
		choice, ok := element.(types.String)
		if ok && attribute.IsKnown(choice) && strings.EqualFold(strings.TrimSpace(choice.ValueString()), strings.TrimSpace(key)) {
			return fmt.Sprintf(" The key of this choice is its position. Use %q.", strconv.Itoa(i))
		}
	}
	if _, err := strconv.Atoi(key); err == nil && len(q.Choices.Elements()) == 0 {
		return " Ratings are grouped, and each group has one target."
	}
	return ""
}

// FlowValues returns the question attributes that decide which question follows.
func FlowValues(q survey.Question) []attr.Value {
	return []attr.Value{q.Type, q.Optional, q.Scale, q.Choices, q.HasOpenChoice, q.Branching}
}

// FlowQuestion converts a question for package flow.
func FlowQuestion(q survey.Question) flow.Question {
	way, index, values := branchingParts(q)
	out := flow.Question{
		Kind: flow.Kind(q.Type.ValueString()), Text: q.Question.ValueString(), Scale: integerScale(q), Choices: len(q.Choices.Elements()),
		Optional: q.Optional.ValueBool(), OpenChoice: q.HasOpenChoice.ValueBool(), Branching: flow.Branching(way.ValueString()), Index: int(index.ValueInt64()), Responses: map[string]int{},
	}
	for _, choice := range q.Choices.Elements() {
		choice, _ := choice.(types.String)
		out.ChoiceTexts = append(out.ChoiceTexts, choice.ValueString())
	}
	if index.IsUnknown() {
		out.Branching = "" // the target is unknown
	}
	for key, value := range values.Elements() {
		out.Responses[key] = flow.Next
		if target, ok := value.(types.String); ok && attribute.IsKnown(target) {
			out.Responses[key], _ = survey.ParseTarget(target.ValueString())
		}
	}
	return out
}

func branchingParts(q survey.Question) (way types.String, index types.Int64, values types.Map) {
	attributes := q.Branching.Attributes()
	way, _ = attributes["type"].(types.String)
	index, _ = attributes["index"].(types.Int64)
	values, _ = attributes["response_values"].(types.Map)
	return way, index, values
}

// redirectedAnswers lists the answers that lead to a different question than before, one per line. This happens when
// questions are inserted, moved, or removed, because branching refers to positions.
func redirectedAnswers(p survey.QuestionPairs) []string {
	priorIndexes := make([]int, len(p.Pairs))
	for i := range priorIndexes {
		priorIndexes[i] = p.PriorIndex(i)
	}

	var lines []string
	for _, redirect := range flow.Redirects(toGraph(p.Before), toGraph(p.After), priorIndexes) {
		lines = append(lines, fmt.Sprintf("questions[%d]: %sled to %s, now leads to %s",
			redirect.Question, quoteAnswers(redirect), targetText(p.Before, redirect.From), targetText(p.After, redirect.To)))
	}
	return lines
}

// toGraph converts questions for package flow. It omits unknown branching.
func toGraph(list []survey.Question) []flow.Question {
	graph := make([]flow.Question, len(list))
	for i, q := range list {
		graph[i] = FlowQuestion(q)
		if !isBranchKnown(q) {
			graph[i].Branching = ""
		}
	}
	return graph
}

// isBranchKnown reports whether all values that decide which question follows are known.
func isBranchKnown(q survey.Question) bool {
	way, index, values := branchingParts(q)
	if !attribute.IsKnown(q.Branching) || !attribute.IsKnown(way) || index.IsUnknown() || values.IsUnknown() {
		return false
	}
	if slices.ContainsFunc(FlowValues(q), attr.Value.IsUnknown) {
		return false
	}

	elements := slices.AppendSeq(slices.Clone(q.Choices.Elements()), maps.Values(values.Elements()))
	return !slices.ContainsFunc(elements, attr.Value.IsUnknown)
}

// quoteAnswers returns the start of a sentence about redirected answers. It is empty if the redirect applies to all
// answers.
func quoteAnswers(r flow.Redirect) string {
	quoted := make([]string, len(r.Answers))
	for i, answer := range r.Answers {
		quoted[i] = survey.Excerpt(types.StringValue(answer))
	}
	skipping := ""
	if r.Skipped {
		skipping = "skipping it "
	}

	switch {
	case len(quoted) == 0:
		return skipping
	case r.Skipped:
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
func targetText(list []survey.Question, position int) string {
	if position == flow.End {
		return "the end of the survey"
	}
	return survey.Excerpt(list[position].Question)
}
