// Package review finds the effect of surveys on respondents: which answers a change cuts
// off, where answers lead, and what is wrong with surveys by themselves and next to each
// other. It is pure: no request is made and no file is read.
package review

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// Question has the attributes of a question that a review needs.
type Question struct {
	ID          string `json:"id"`
	Type        string `json:"type"`
	Text        string `json:"question"`
	Description string `json:"description"`
	Link        string `json:"link"`
	Optional    bool   `json:"optional"`
	OpenChoice  bool   `json:"has_open_choice"`
	// Scale may be any number in a plan of another provider; one that is not an integer
	// counts as 0.
	Scale     json.Number `json:"scale"`
	Choices   []string    `json:"choices"`
	Branching *struct {
		Type           string            `json:"type"`
		Index          json.Number       `json:"index"`
		ResponseValues map[string]string `json:"response_values"`
	} `json:"branching"`
	Translations map[string]map[string]any `json:"translations"`

	// attributes are all attributes of the question.
	attributes map[string]any
	// matched is the text by which the question is matched, also where it is secret.
	matched string
}

// Questions reads the questions of a survey. It fails when an attribute has a type that the
// provider never gives it, as in a plan or a state of another provider.
func Questions(survey side.Object) ([]Question, error) {
	raw, err := json.Marshal(side.Shown(survey.Attributes["questions"]))
	if err != nil {
		return nil, fmt.Errorf("survey %q: questions: %w", survey.Name, err)
	}

	var questions []Question
	if err := json.Unmarshal(raw, &questions); err != nil {
		return nil, fmt.Errorf("survey %q: questions do not have the form that this provider gives them: %w", survey.Name, err)
	}
	list, _ := survey.Attributes["questions"].([]any)
	for i := range questions {
		questions[i].attributes, _ = list[i].(map[string]any)
		questions[i].matched, _ = side.Plain(questions[i].attributes["question"]).(string)
	}
	return questions, nil
}

// Flow is the branching graph of questions.
func Flow(questions []Question) []flow.Question {
	graph := make([]flow.Question, len(questions))
	for i, q := range questions {
		scale, _ := strconv.Atoi(q.Scale.String())
		graph[i] = flow.Question{
			Kind: flow.Kind(q.Type), Text: q.Text, Scale: scale, Choices: len(q.Choices), ChoiceTexts: q.Choices,
			Optional: q.Optional, OpenChoice: q.OpenChoice,
		}
		if q.Branching == nil {
			continue
		}

		graph[i].Branching = flow.Branching(q.Branching.Type)
		graph[i].Index, _ = strconv.Atoi(q.Branching.Index.String())
		graph[i].Responses = map[string]int{}
		for key, target := range q.Branching.ResponseValues {
			graph[i].Responses[key] = targetOf(target)
		}
	}
	return graph
}

// targetOf reads the target of a response: a position, or the end. Anything else leads to
// the next question, as in the SDKs.
func targetOf(value string) int {
	if value == "end" {
		return flow.End
	}
	if index, err := strconv.Atoi(value); err == nil {
		return index
	}
	return flow.Next
}
