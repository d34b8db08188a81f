package service

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// maxAnswers is the maximum number of different answers that are counted separately.
const maxAnswers = 200

// otherAnswers represents the answers that respondents wrote themselves.
const otherAnswers = "<other>"

// AnsweredQuestion is a question of a survey and its answers.
type AnsweredQuestion struct {
	ID string `json:"question_id"`
	// Index is the index of the question in the survey, from 0.
	Index int    `json:"question_index"`
	Text  string `json:"question_text"`
	Type  string `json:"question_type"`
	// Responses is the number of responses with an answer.
	Responses int64 `json:"response_count"`
	// Distribution contains the number of each answer to a rating or a choice.
	Distribution Distribution `json:"distribution"`
	// Average is the average of the ratings. It is NaN if there are none.
	Average Float `json:"average"`
}

// Distribution contains answers in a defined order.
type Distribution []Answer

// MarshalJSON implements [json.Marshaler].
func (d Distribution) MarshalJSON() ([]byte, error) {
	object := []wire.Member{}
	for _, answer := range d {
		object = append(object, wire.Member{Name: answer.Text, Value: wire.Of(answer.Count)})
	}
	return wire.NewObject(object...).JSON(), nil
}

// Answer is an answer and the number of times that respondents gave it.
type Answer struct {
	Text  string
	Count int64
}

// AnsweredQuestions counts the answers to each question of a survey. questions is the JSON of the survey's
// questions, and events are the survey's events.
func AnsweredQuestions(questions wire.Value, events []store.Event) []AnsweredQuestion {
	counted := []AnsweredQuestion{}
	for i, question := range questions.Items() {
		if !question.IsObject() {
			continue
		}
		q := AnsweredQuestion{
			Index: i, ID: question.Get("id").Text(), Text: question.Get("question").Text(),
			Type: cmp.Or(question.Get("type").Text(), "open"), Average: Float(math.NaN()),
		}
		q.count(listAnswers(q, events), mapChoices(question))
		counted = append(counted, q)
	}
	return counted
}

// count adds up answers, most frequent first.
func (q *AnsweredQuestion) count(answers []Answer, choices map[string]string) {
	if q.Type == "open" || q.Type == "link" {
		for _, answer := range answers {
			q.Responses += answer.Count
		}
		return
	}

	var rest int64
	var ratings, rated float64
	for _, answer := range answers[:min(len(answers), maxAnswers)] {
		q.Responses += answer.Count

		if q.Type == "single_choice" || q.Type == "multiple_choice" {
			choice, isKnown := choices[answer.Text]
			if !isKnown {
				rest += answer.Count
				continue
			}
			answer.Text = choice
		}

		q.add(answer)
		rating, err := strconv.ParseFloat(strings.TrimSpace(answer.Text), 64)
		if q.Type == "rating" && err == nil && !math.IsNaN(rating) && !math.IsInf(rating, 0) {
			ratings += rating * float64(answer.Count)
			rated += float64(answer.Count)
		}
	}

	if rest > 0 {
		q.add(Answer{otherAnswers, rest})
	}
	if rated > 0 {
		q.Average = Float(ratings / rated)
	}
}

func (q *AnsweredQuestion) add(answer Answer) {
	i := slices.IndexFunc(q.Distribution, func(candidate Answer) bool { return candidate.Text == answer.Text })
	if i < 0 {
		q.Distribution = append(q.Distribution, answer)
		return
	}
	q.Distribution[i].Count += answer.Count
}

// listAnswers returns the non-blank answers to a question, most frequent first. For each submission, it
// uses the latest answer in any of the submission's events.
func listAnswers(q AnsweredQuestion, events []store.Event) []Answer {
	latest := map[string]store.Event{}
	texts := map[string]string{}
	for i, e := range events {
		text := q.eventAnswer(e)
		if !e.IsResponse() || text == "" {
			continue
		}

		key := "submission " + e.Submission
		if e.Submission == "" {
			key = strconv.Itoa(i)
		}
		if previous, ok := latest[key]; !ok || !e.IsBefore(previous) {
			latest[key], texts[key] = e, text
		}
	}

	counts := map[string]int64{}
	for key, e := range latest {
		if text := texts[key]; strings.Trim(text, " ") != "" {
			counts[text] += e.Count
		}
	}

	answers := make([]Answer, 0, len(counts))
	for text, count := range counts {
		answers = append(answers, Answer{text, count})
	}
	slices.SortFunc(answers, func(a, b Answer) int {
		if a.Count != b.Count {
			return int(b.Count - a.Count)
		}
		return strings.Compare(a.Text, b.Text)
	})
	return answers
}

// eventAnswer returns the answer to a question in an event, or "" if there is none. It finds the answer by
// question ID, or by index as older SDKs send it. It ignores lists.
func (q AnsweredQuestion) eventAnswer(e store.Event) string {
	names := []string{"$survey_response"}
	if q.Index > 0 {
		names[0] += "_" + strconv.Itoa(q.Index)
	}
	if q.ID != "" {
		names = []string{"$survey_response_" + q.ID, names[0]}
	}

	for _, name := range names {
		value := e.Properties.Get(name)
		switch {
		case value.IsNull() || value.IsArray() || value.IsObject():
		case value.IsText():
			if text := value.Text(); text != "" {
				return text
			}
		default:
			return value.Spelling()
		}
	}
	return ""
}

// untranslated is the text that PostHog's web app writes into a translation for a choice that is not translated.
const untranslated = "[Translation needed]"

// mapChoices maps each choice of a question to itself, and each translated choice to the choice at the same
// position. It ignores translations with a different number of choices. If a translated choice equals
// another choice of the question, the question's choice wins.
func mapChoices(question wire.Value) map[string]string {
	choices := question.Get("choices").Items()
	originals := map[string]string{}
	for _, texts := range question.Get("translations").Members() {
		translated := texts.Get("choices").Items()
		if len(translated) != len(choices) {
			continue
		}
		for i, choice := range translated {
			text := choice.Text()
			if choices[i].IsText() && strings.TrimSpace(text) != "" && text != untranslated {
				originals[text] = choices[i].Text()
			}
		}
	}
	for _, choice := range choices {
		if choice.IsText() {
			originals[choice.Text()] = choice.Text()
		}
	}
	return originals
}
