// Package flow computes the graph of a survey's branching: where each answer leads, which
// questions cannot be reached, where the branching loops, and drawings of it as Mermaid,
// SVG and text. It is pure, on a small type of its own: it knows neither Terraform nor the
// API.
package flow

import "strconv"

// Kind is the type of a question, with the values of the API.
type Kind string

// The kinds of question.
const (
	Open           Kind = "open"
	Link           Kind = "link"
	Rating         Kind = "rating"
	SingleChoice   Kind = "single_choice"
	MultipleChoice Kind = "multiple_choice"
)

// Branching is the type of a question's branching, with the values of the API.
type Branching string

// The types of branching. The zero Branching, without branching, leads on as [NextQuestion]
// does, but for the last question, which it ends the survey after.
const (
	NextQuestion     Branching = "next_question"
	EndSurvey        Branching = "end"
	SpecificQuestion Branching = "specific_question"
	ResponseBased    Branching = "response_based"
)

// Targets that are not the position of a question.
const (
	// End is the end of the survey.
	End = -1
	// Next is the next question, and after the last one none. It is the target of a
	// response without a valid one.
	Next = -2
)

// Question has the attributes of a question that decide about the flow.
type Question struct {
	Kind Kind
	// Text and ChoiceTexts are shown by drawings. Without its text, a choice is shown
	// by its response key.
	Text        string
	ChoiceTexts []string
	// Scale is the number of steps of a rating, Choices the number of choices of a
	// choice question; 0 when not known.
	Scale, Choices int
	// Optional is set when it can be skipped, which leads to the next question regardless
	// of Responses, except with OpenChoice.
	Optional bool
	// OpenChoice is set when the last choice is a text by the respondent. SDKs treat every
	// response that is not another choice as that text, including a skipped single choice.
	OpenChoice bool
	// Branching is the type of its branching. Index is the target of SpecificQuestion, a
	// position from 0. Responses are the targets of ResponseBased by response key: a
	// position, End or Next.
	Branching Branching
	Index     int
	Responses map[string]int
}

// BranchesByResponse reports whether questions of a kind can branch by their response.
func BranchesByResponse(kind Kind) bool { return kind == Rating || kind == SingleChoice }

// ResponseKeys are the keys by which a question's response is looked up, in the order of
// its answers: the positions of the choices of a single choice, the parts of the scale of a
// rating. It is nil for a question that cannot branch by response, or with an unknown scale
// or unknown choices.
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
