// Package flow computes the graph of a survey's branching: the next question for each answer, unreachable questions,
// and loops. It also renders the graph as Mermaid, SVG, and text. The package depends on neither Terraform nor the API:
// callers convert their questions to [Question]. Start reading at [Steps].
package flow

import (
	"maps"
	"slices"
	"strconv"
)

// Kind is a question's type, with the API's values.
type Kind string

// The kinds of question.
const (
	Open           Kind = "open"
	Link           Kind = "link"
	Rating         Kind = "rating"
	SingleChoice   Kind = "single_choice"
	MultipleChoice Kind = "multiple_choice"
)

// Branching is the type of a question's branching, with the API's values.
type Branching string

// Types of branching. The zero Branching means no branching: the survey continues with the next question, and ends
// after the last one.
const (
	NextQuestion     Branching = "next_question"
	EndSurvey        Branching = "end"
	SpecificQuestion Branching = "specific_question"
	ResponseBased    Branching = "response_based"
)

// Targets other than a question's position.
const (
	// End is the end of the survey.
	End = -1
	// Next is the next question, if there is one. It is also the target of a response whose configured target is
	// invalid.
	Next = -2
)

// Question contains the question attributes that affect the flow.
type Question struct {
	Kind Kind
	// Text and ChoiceTexts appear in drawings. A choice without a text is shown by its response key.
	Text        string
	ChoiceTexts []string
	// Scale is the number of rating steps, and Choices the number of choices in a choice question. Each is 0 if
	// it is unknown.
	Scale, Choices int
	// Optional is set if the question can be skipped, which leads to the next question regardless of Responses,
	// except with OpenChoice.
	Optional bool
	// OpenChoice is set if the respondent enters the text of the last choice. SDKs treat every response that is not
	// one of the other choices as that text, including a skipped single choice.
	OpenChoice bool
	// Branching is the type of branching. Index is the target of SpecificQuestion, a position from 0. Responses maps
	// response keys to the targets of ResponseBased: a position, End, or Next.
	Branching Branching
	Index     int
	Responses map[string]int
}

// BranchesByResponse reports whether questions of this kind can branch by response.
func BranchesByResponse(kind Kind) bool { return kind == Rating || kind == SingleChoice }

// ResponseKeys returns a question's response keys in answer order: the positions of a single choice's choices, or the
// parts of a rating's scale. It returns nil if the question cannot branch by response, or if its scale or its choices
// are unknown.
func ResponseKeys(q Question) []string {
	switch q.Kind {
	case SingleChoice:
		var keys []string
		for i := range q.Choices {
			keys = append(keys, strconv.Itoa(i))
		}
		return keys
	case Rating:
		switch q.Scale {
		case 2:
			return []string{"negative", "positive"}
		case 3, 5, 7:
			return []string{"negative", "neutral", "positive"}
		case 10:
			return []string{"detractors", "passives", "promoters"}
		}
	default:
	}
	return nil
}

// Target is a target of a question's branching.
type Target struct {
	// Question is the position of the branching question. Key is the response key, or empty for the index of
	// [SpecificQuestion].
	Question int
	Key      string
	To       int
}

// OutOfRange returns the targets that are not one of the survey's questions, in question order.
func OutOfRange(questions []Question) []Target {
	var targets []Target

	for i, q := range questions {
		switch q.Branching {
		case SpecificQuestion:
			// An index cannot represent the end or the next question: -1 and -2 are out of range.
			if q.Index < 0 || q.Index >= len(questions) {
				targets = append(targets, Target{Question: i, To: q.Index})
			}
		case ResponseBased:
			for _, key := range slices.Sorted(maps.Keys(q.Responses)) {
				target := q.Responses[key]
				if target != End && target != Next && (target < 0 || target >= len(questions)) {
					targets = append(targets, Target{Question: i, Key: key, To: target})
				}
			}
		default:
		}
	}
	return targets
}

// UnknownResponseKeys returns the sorted response keys that have a target but belong to none of the question's
// responses. It returns none if the question's scale or choices are unknown.
func UnknownResponseKeys(q Question) []string {
	keys := ResponseKeys(q)
	if q.Branching != ResponseBased || keys == nil {
		return nil
	}

	return slices.DeleteFunc(slices.Sorted(maps.Keys(q.Responses)), func(key string) bool {
		return slices.Contains(keys, key)
	})
}

// Skipped is the When of the step for respondents who skip an optional question.
const Skipped = "skipped"

// Step is a step from one question to the next.
type Step struct {
	// When is the response key of the step, or [Skipped]. It is empty if the step applies to all responses.
	When string
	// To is the position of the next question, or [End].
	To int
	// NoEnd is set if To is [End] because the branching leads to a question that does not exist. posthog-js then
	// shows nothing and does not end the survey, so answers that it has not sent yet are lost.
	NoEnd bool
}

// Steps returns the steps from question i. A target out of range counts as the end of the survey, because there is
// nothing more to show.
func Steps(questions []Question, i int) []Step {
	q := questions[i]
	stepTo := func(position int) Step {
		if position < 0 || position >= len(questions) {
			return Step{To: End, NoEnd: true}
		}
		return Step{To: position}
	}

	switch q.Branching {
	case EndSurvey:
		return []Step{{To: End}}
	case SpecificQuestion:
		return []Step{stepTo(q.Index)}
	case ResponseBased:
	case "":
		return []Step{endingStep(questions, i)}
	default:
		return []Step{stepTo(i + 1)}
	}

	target := func(when string, position int) Step {
		var step Step
		switch position {
		case End:
			step = Step{To: End}
		case Next:
			step = stepTo(i + 1)
		default:
			step = stepTo(position)
		}
		step.When = when
		return step
	}

	// A response without a target leads to the next question.
	var steps []Step
	for _, key := range followedKeys(q) {
		position, ok := q.Responses[key]
		if !ok {
			position = Next
		}
		steps = append(steps, target(key, position))
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
		return []Step{stepTo(i + 1)}
	}
	return steps
}

// endingStep leads to the next question, or from the last question to the end. It applies to a question without
// branching, and to a skipped rating.
func endingStep(questions []Question, i int) Step {
	if i == len(questions)-1 {
		return Step{To: End}
	}
	return Step{To: i + 1}
}

// DeadEnd is a question after which the survey neither continues nor ends.
type DeadEnd struct {
	Question int
	// When contains the response keys without a next question, and [Skipped] if skipping has none either. It is empty
	// if all responses have no next question.
	When []string
}

// DeadEnds returns the reachable questions after which the survey may neither continue nor end.
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

// skippedTarget returns the target for skipping a question that branches by response. For a single choice with an open
// choice, it is the open choice's target. Otherwise, it is the next question.
func skippedTarget(q Question) int {
	if q.Kind == SingleChoice && q.OpenChoice && q.Choices > 0 {
		if target, ok := q.Responses[strconv.Itoa(q.Choices-1)]; ok {
			return target
		}
	}
	return Next
}

// followedKeys returns the response keys whose targets apply: all possible keys, or those with a target if the possible
// keys are unknown.
func followedKeys(q Question) []string {
	if keys := ResponseKeys(q); keys != nil || !BranchesByResponse(q.Kind) {
		return keys
	}
	return slices.Sorted(maps.Keys(q.Responses))
}
