// Package review is what a change of surveys means to people: where their answers
// lead, which answers a change cuts off, what is wrong with surveys beside each other.
// Pure functions over the objects of sides: no request is made and no file is read.
package review

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
)

// Question is a question of a survey as far as a review looks at it.
type Question struct {
	ID          string `json:"id"`
	Type        string `json:"type"`
	Text        string `json:"question"`
	Description string `json:"description"`
	Link        string `json:"link"`
	Optional    bool   `json:"optional"`
	OpenChoice  bool   `json:"has_open_choice"`
	// Scale is a number in all but unusual cases; what is no whole number reads as 0.
	Scale     json.Number `json:"scale"`
	Choices   []string    `json:"choices"`
	Branching *struct {
		Type           string            `json:"type"`
		Index          json.Number       `json:"index"`
		ResponseValues map[string]string `json:"response_values"`
	} `json:"branching"`
	Translations map[string]map[string]any `json:"translations"`

	// attributes are all of its attributes.
	attributes map[string]any
}

// Questions reads the questions of a survey. It fails when an attribute has another
// type than the provider gives it, which takes a plan or a state of another provider.
func Questions(survey side.Object) ([]Question, error) {
	raw, err := json.Marshal(survey.Attributes["questions"])
	if err != nil {
		return nil, fmt.Errorf("survey %q: questions: %w", survey.Name, err)
	}

	var questions []Question
	if err := json.Unmarshal(raw, &questions); err != nil {
		return nil, fmt.Errorf("survey %q: questions have another form than this provider gives them: %w", survey.Name, err)
	}
	list, _ := survey.Attributes["questions"].([]any)
	for i := range questions {
		questions[i].attributes, _ = list[i].(map[string]any)
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

// targetOf reads a response value: a place, or the end. Anything else leads to the
// next question, as SDKs take it.
func targetOf(value string) int {
	if value == "end" {
		return flow.End
	}
	if place, err := strconv.Atoi(value); err == nil {
		return place
	}
	return flow.Next
}
