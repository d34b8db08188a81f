package main

import (
	"encoding/json"
	"fmt"
	"maps"
)

// settings is one survey as configuration: attribute names to values.
type settings map[string]any

// The descriptions before and after the change that is planned: they differ in one word.
const (
	before = "How people see the current release"
	after  = "How people see the coming release"
)

// A survey: three questions of different kinds, one with branching, conditions and an appearance.
const (
	typedQuestions = `[
		{"type": "rating", "question": "How likely are you to recommend us?", "display": "number", "scale": 10,
		 "lower_bound_label": "Not at all", "upper_bound_label": "Certainly",
		 "branching": {"type": "response_based", "response_values": {"detractors": "2", "promoters": "end"}}},
		{"type": "single_choice", "question": "Where did you hear of us?", "choices": ["From a friend", "In the press", "Elsewhere"],
		 "has_open_choice": true},
		{"type": "open", "question": "What should be better?", "description": "A word is enough.", "optional": true}]`

	// The same as the service holds them: with the false and "" that the web interface saves and
	// nobody writes.
	storedQuestions = `[
		{"type": "rating", "question": "How likely are you to recommend us?", "display": "number", "scale": 10,
		 "lower_bound_label": "Not at all", "upper_bound_label": "Certainly", "description": "", "button_text": "",
		 "branching": {"type": "response_based", "response_values": {"detractors": "2", "promoters": "end"}},
		 "optional": false, "is_nps_question": false, "skip_submit_button": false},
		{"type": "single_choice", "question": "Where did you hear of us?", "choices": ["From a friend", "In the press", "Elsewhere"],
		 "has_open_choice": true, "description": "", "button_text": "", "optional": false, "shuffle_options": false},
		{"type": "open", "question": "What should be better?", "description": "A word is enough.", "optional": true, "button_text": ""}]`

	// The same in the words of the service.
	wireQuestions = `[
		{"type": "rating", "question": "How likely are you to recommend us?", "display": "number", "scale": 10,
		 "lowerBoundLabel": "Not at all", "upperBoundLabel": "Certainly",
		 "branching": {"type": "response_based", "responseValues": {"detractors": 2, "promoters": "end"}}},
		{"type": "single_choice", "question": "Where did you hear of us?", "choices": ["From a friend", "In the press", "Elsewhere"],
		 "hasOpenChoice": true},
		{"type": "open", "question": "What should be better?", "description": "A word is enough.", "optional": true}]`

	conditions = `{"url": "https://example.com/pricing", "urlMatchType": "icontains", "seenSurveyWaitPeriodInDays": 30}`
	appearance = `{"backgroundColor": "#eeeded", "position": "right", "displayThankYouMessage": true, "thankYouMessageHeader": "Thank you!"}`
)

// survey is number i for the provider and the one with the same schema.
func survey(i int, description, questions string) settings {
	return settings{
		"name": fmt.Sprintf("Survey %05d", i), "type": "popover", "description": description,
		"questions": json.RawMessage(questions), "conditions": conditions, "appearance": appearance,
	}
}

// jsonTextSurvey is the same survey for the provider that keeps JSON as text.
func jsonTextSurvey(i int, description string) settings {
	return settings{
		"name": fmt.Sprintf("Survey %05d", i), "type": "popover", "description": description,
		"questions_json": wireQuestions, "conditions_json": conditions, "appearance_json": appearance,
	}
}

// wireSurvey is the survey as the service has it, with a name and what else it is given.
func wireSurvey(besides map[string]any) map[string]any {
	survey := map[string]any{
		"type": "popover", "description": before, "questions": json.RawMessage(wireQuestions),
		"conditions": json.RawMessage(conditions), "appearance": json.RawMessage(appearance),
	}
	maps.Copy(survey, besides)
	return survey
}

// text is a value as JSON.
func text(value any) string {
	document, err := json.Marshal(value)
	if err != nil {
		panic(err) // plain maps always encode
	}
	return string(document)
}
