// Package flow is the graph that the branching of a survey's questions makes:
// where each answer leads, which questions cannot be reached, where the branching loops, and drawings of it as
// Mermaid, DOT and SVG. Pure functions over a small type of its own: neither Terraform
// nor the wire nor the network ever enters it.
package flow

import "strconv"

// Kind is the kind of a question, in the words of the interface.
type Kind string

// The kinds of question.
const (
	Open           Kind = "open"
	Link           Kind = "link"
	Rating         Kind = "rating"
	SingleChoice   Kind = "single_choice"
	MultipleChoice Kind = "multiple_choice"
)

// Branching is how a question chooses what comes after it, in the words of the
// interface.
type Branching string

// The types of branching. The zero Branching is that of a question without one, which
// is the same as [NextQuestion].
const (
	NextQuestion     Branching = "next_question"
	EndSurvey        Branching = "end"
	SpecificQuestion Branching = "specific_question"
	ResponseBased    Branching = "response_based"
)

// Targets that are no place of a question.
const (
	// End is the end of the survey.
	End = -1
	// Next is the next question, or the end after the last one: what a survey does
	// with a response for which it has no usable target.
	Next = -2
)

// Question is what has to be known of a question to follow a survey.
type Question struct {
	Kind Kind
	// Text and ChoiceTexts are shown by drawings. Without its text, a choice is shown
	// by its response key.
	Text        string
	ChoiceTexts []string
	// Scale is the number of steps of a rating, Choices the number of choices of a
	// choice question; 0 when not known.
	Scale, Choices int
	// Optional is set when it can be skipped, which leads to the next question whatever
	// the responses do, but for OpenChoice.
	Optional bool
	// OpenChoice is set when the last choice takes a text of the respondent. SDKs take every
	// response that is no other choice for that text, a skipped single choice as well.
	OpenChoice bool
	// Branching is how it branches. Index belongs to SpecificQuestion: the place to go
	// to, from 0. Responses belongs to ResponseBased: a place, End or Next by response key.
	Branching Branching
	Index     int
	Responses map[string]int
}

// BranchesByResponse reports whether questions of a kind can branch by their response.
func BranchesByResponse(kind Kind) bool { return kind == Rating || kind == SingleChoice }

// ResponseKeys are the keys under which a question's response is looked up, in the
// order of its answers: the places of the choices of a single choice, the parts of
// the scale of a rating. It is nil for a question that cannot branch by response,
// or whose scale or choices are not known.
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
