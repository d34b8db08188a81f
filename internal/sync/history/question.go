// Package history follows the questions of a survey through the lists that it had: which
// question kept its id, which lost it and has another one now, which is new or gone. It reads
// the activity feed, and lists that other sources remember. It guesses nothing: two questions
// of two lists are one if they have one id, or if nothing else can be meant.
package history

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// Question is what is known of a question in a list.
type Question struct {
	// ID is empty where the service has given it none.
	ID, Type, Text string
	// Choices are nil where the source does not have them.
	Choices []string
	// rest is everything else that it says; empty where the source does not have it.
	rest string
}

// Questions reads a list of questions as the service has it; none for null and for no JSON at
// all. Not ok is a list that cannot be followed.
func Questions(raw []byte) (list []Question, ok bool) {
	if len(raw) == 0 {
		return nil, true
	}
	value, err := jsonvalue.Decode(raw)
	if err != nil {
		return nil, false
	}
	elements, isList := value.([]any)
	if !isList {
		return nil, value == nil
	}

	for _, element := range elements {
		fields, isObject := element.(map[string]any)
		if !isObject {
			return nil, false
		}
		list = append(list, questionOf(fields))
	}
	return list, true
}

// QuestionsOf are the questions of a survey, element by element.
func QuestionsOf(raws []json.RawMessage) (list []Question, ok bool) {
	for _, raw := range raws {
		one, ok := Questions(slices.Concat([]byte("["), raw, []byte("]")))
		if !ok {
			return nil, false
		}
		list = append(list, one...)
	}
	return list, true
}

// QuestionsOfKeys are questions of which id, type and text are remembered.
func QuestionsOfKeys(keys []survey.QuestionKey) []Question {
	list := make([]Question, len(keys))
	for i, key := range keys {
		list[i] = Question{ID: key.ID, Type: key.Type, Text: key.Text}
	}
	return list
}

func questionOf(fields map[string]any) Question {
	q := Question{ID: jsonvalue.String(fields["id"]), Type: jsonvalue.String(fields["type"]), Text: jsonvalue.String(fields["question"])}
	if choices, ok := fields["choices"].([]any); ok {
		for _, choice := range choices {
			q.Choices = append(q.Choices, jsonvalue.String(choice))
		}
	}

	rest := maps.Clone(fields)
	for _, name := range []string{"id", "type", "question", "choices"} {
		delete(rest, name)
	}
	text, _ := json.Marshal(rest) // it was decoded from JSON
	q.rest = string(text)
	return q
}

// asks reports whether two questions ask the same: type and text are the same, or are once the
// service has cleaned the text.
func (q Question) asks(other Question) bool {
	return q.Type == other.Type &&
		(q.Text == other.Text || survey.SameMarkup(q.Text, other.Text) || survey.SameMarkup(other.Text, q.Text))
}

// offers reports whether two questions are known to have the same choices.
func (q Question) offers(other Question) bool {
	return q.Choices != nil && slices.Equal(q.Choices, other.Choices)
}

// contradicts reports whether two questions are known to differ in more than id, type and text.
func (q Question) contradicts(other Question) bool {
	return q.Choices != nil && other.Choices != nil && !q.offers(other) || q.rest != "" && other.rest != "" && q.rest != other.rest
}

// sameQuestions reports whether two lists have the same questions, in one order.
func sameQuestions(a, b []Question) bool {
	return slices.EqualFunc(a, b, func(q, other Question) bool { return q.ID == other.ID && q.asks(other) })
}

// number is how many questions of a list fit.
func number(list []Question, fits func(Question) bool) int {
	n := 0
	for _, q := range list {
		if fits(q) {
			n++
		}
	}
	return n
}
