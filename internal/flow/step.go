package flow

import (
	"maps"
	"slices"
	"strconv"
)

// Skipped is the When of the step for respondents who skip an optional question.
const Skipped = "skipped"

// Step is a step from a question to the next one.
type Step struct {
	// When is the response key of the step, or [Skipped]; empty for all responses.
	When string
	// To is the position of the next question, or [End].
	To int
}

// Steps are the steps from question i. A target out of range counts as the end of the
// survey: there is nothing more to show.
func Steps(questions []Question, i int) []Step {
	q := questions[i]
	resolve := func(to int) int {
		if to == Next {
			to = i + 1
		}
		if to < 0 || to >= len(questions) {
			return End
		}
		return to
	}

	switch q.Branching {
	case EndSurvey:
		return []Step{{To: End}}
	case SpecificQuestion:
		return []Step{{To: resolve(q.Index)}}
	case ResponseBased:
	default:
		return []Step{{To: resolve(Next)}}
	}

	// A response without a target leads to the next question.
	var steps []Step
	for _, key := range followedKeys(q) {
		to, ok := q.Responses[key]
		if !ok {
			to = Next
		}
		steps = append(steps, Step{When: key, To: resolve(to)})
	}

	if q.Optional {
		steps = append(steps, Step{When: Skipped, To: resolve(skippedTarget(q))})
	}
	if len(steps) == 0 {
		return []Step{{To: resolve(Next)}}
	}
	return steps
}

// skippedTarget is the target of skipping a question that branches by response: that of the
// open choice of a single choice, else the next question.
func skippedTarget(q Question) int {
	if q.Kind == SingleChoice && q.OpenChoice && q.Choices > 0 {
		if to, ok := q.Responses[strconv.Itoa(q.Choices-1)]; ok {
			return to
		}
	}
	return Next
}

// followedKeys are the response keys whose targets count: all possible ones, or those with
// a target if the possible ones are unknown.
func followedKeys(q Question) []string {
	if keys := ResponseKeys(q); keys != nil || !BranchesByResponse(q.Kind) {
		return keys
	}
	return slices.Sorted(maps.Keys(q.Responses))
}
