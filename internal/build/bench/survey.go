//go:build unix

package main

import (
	"encoding/json"
	"fmt"
)

// The descriptions before and after the planned change, which differ in one word.
const (
	before = "How people see the current release"
	after  = "How people see the coming release"
)

// A survey with three questions of different types, one with branching, conditions, and an appearance.
const (
	typedQuestions = `[
		{"type": "rating", "question": "How likely are you to recommend us?", "display": "number", "scale": 10,
		 "lower_bound_label": "Not at all", "upper_bound_label": "Certainly",
		 "branching": {"type": "response_based", "response_values": {"detractors": "2", "promoters": "end"}}},
		{"type": "single_choice", "question": "Where did you hear of us?", "choices": ["From a friend", "In the press", "Elsewhere"],
		 "has_open_choice": true},
		{"type": "open", "question": "What should be better?", "description": "A word is enough.", "optional": true}]`

	// The same survey in PostHog's API format.
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

// object is a survey in a configuration or in a request, as a map from names to values.
type object = map[string]any

// survey returns the configuration of survey i for the variant.
func (c variant) survey(i int, description string) object {
	survey := object{"name": fmt.Sprintf("Survey %05d", i), "type": "popover", "description": description}
	if c == jsonText {
		survey["questions_json"], survey["conditions_json"], survey["appearance_json"] = wireQuestions, conditions, appearance
	} else {
		survey["questions"], survey["conditions"], survey["appearance"] = json.RawMessage(typedQuestions), conditions, appearance
	}
	return survey
}

// wireSurvey returns a survey in PostHog's API format.
func wireSurvey(name string) object {
	return object{
		"name": name, "type": "popover", "description": before, "questions": json.RawMessage(wireQuestions),
		"conditions": json.RawMessage(conditions), "appearance": json.RawMessage(appearance),
	}
}

// storedID returns the ID of survey i among the initial surveys of a server.
func storedID(i int) string { return fmt.Sprintf("019b0000-0000-7000-9000-%012d", i) }

// text returns a value as JSON.
func text(value any) string {
	document, err := json.Marshal(value)
	if err != nil {
		panic(err) // maps of plain values always encode
	}
	return string(document)
}
