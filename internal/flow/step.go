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
	// NoEnd is set where To is [End] because there is no question to go to, although the
	// branching asks for one: posthog-js then shows nothing and does not end the survey, so
	// answers that it has not sent yet are lost.
	NoEnd bool
}

// Steps are the steps from question i. A target out of range counts as the end of the
// survey: there is nothing more to show.
func Steps(questions []Question, i int) []Step {
	q := questions[i]
	to := func(place int) Step {
		if place < 0 || place >= len(questions) {
			return Step{To: End, NoEnd: true}
		}
		return Step{To: place}
	}

	switch q.Branching {
	case EndSurvey:
		return []Step{{To: End}}
	case SpecificQuestion:
		return []Step{to(q.Index)}
	case ResponseBased:
	case "":
		return []Step{endingStep(questions, i)}
	default:
		return []Step{to(i + 1)}
	}

	target := func(when string, place int) Step {
		var step Step
		switch place {
		case End:
			step = Step{To: End}
		case Next:
			step = to(i + 1)
		default:
			step = to(place)
		}
		step.When = when
		return step
	}

	// A response without a target leads to the next question.
	var steps []Step
	for _, key := range followedKeys(q) {
		place, ok := q.Responses[key]
		if !ok {
			place = Next
		}
		steps = append(steps, target(key, place))
	}

	switch {
	case q.Optional && q.Kind == Rating:
		step := endingStep(questions, i)
		step.When = Skipped
		steps = append(steps, step)
	case q.Optional:
		steps = append(steps, target(Skipped, skippedTarget(q)))
	}
	if len(steps) == 0 {
		return []Step{to(i + 1)}
	}
	return steps
}

// endingStep leads to the next question, and from the last one to the end: so does a question
// without branching, and a rating that is skipped.
func endingStep(questions []Question, i int) Step {
	if i == len(questions)-1 {
		return Step{To: End}
	}
	return Step{To: i + 1}
}

// DeadEnd is a question after which the survey neither goes on nor ends.
type DeadEnd struct {
	Question int
	// When are the response keys that lead nowhere, and [Skipped]; none for all responses.
	When []string
}

// DeadEnds are the questions with a step that has no end, of those that can be reached.
func DeadEnds(questions []Question) []DeadEnd {
	unreachable := Unreachable(questions)
	var ends []DeadEnd
	for i := range questions {
		if slices.Contains(unreachable, i) {
			continue
		}

		end := DeadEnd{Question: i}
		isDead := false
		for _, step := range Steps(questions, i) {
			isDead = isDead || step.NoEnd
			if step.NoEnd && step.When != "" {
				end.When = append(end.When, step.When)
			}
		}
		if isDead {
			ends = append(ends, end)
		}
	}
	return ends
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
