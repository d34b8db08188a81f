package main

import (
	"encoding/json"
	"fmt"
	"maps"
)

// settings is one survey as configuration: attribute names to values.
type settings map[string]any

// words are the descriptions before and after the change that is planned: they
// differ in one word.
const (
	before = "How people see the current release"
	after  = "How people see the coming release"
)

// typedSurvey is the survey number i for the real provider and for the one with
// the same schema: three questions of different kinds, one with branching.
func typedSurvey(i int, description string) settings {
	return settings{
		"name": surveyName(i), "type": "popover", "description": description,
		"questions": []any{
			map[string]any{
				"type": "rating", "question": "How likely are you to recommend us?", "display": "number", "scale": 10,
				"lower_bound_label": "Not at all", "upper_bound_label": "Certainly",
				"branching": map[string]any{
					"type": "response_based", "response_values": map[string]any{"detractors": "2", "promoters": "end"},
				},
			},
			map[string]any{
				"type": "single_choice", "question": "Where did you hear of us?",
				"choices": []any{"From a friend", "In the press", "Elsewhere"}, "has_open_choice": true,
			},
			map[string]any{"type": "open", "question": "What should be better?", "description": "A word is enough.", "optional": true},
		},
		"conditions": text(conditions), "appearance": text(appearance),
	}
}

// storedSurvey is typedSurvey as the service holds it: with the false and "" that the web
// interface saves and nobody writes.
func storedSurvey(i int, description string) settings {
	survey := typedSurvey(i, description)
	left := []map[string]any{
		{"description": "", "button_text": "", "optional": false, "is_nps_question": false, "skip_submit_button": false},
		{"description": "", "button_text": "", "optional": false, "shuffle_options": false},
		{"button_text": ""},
	}
	questions, _ := survey["questions"].([]any)
	for i, question := range questions {
		if asked, ok := question.(map[string]any); ok {
			maps.Copy(asked, left[i])
		}
	}
	return survey
}

// jsonTextSurvey is the same survey for the provider that keeps JSON as text, with
// the keys that the service has for them.
func jsonTextSurvey(i int, description string) settings {
	return settings{
		"name": surveyName(i), "type": "popover", "description": description,
		"questions_json": text(questions), "conditions_json": text(conditions), "appearance_json": text(appearance),
	}
}

func surveyName(i int) string { return fmt.Sprintf("Survey %05d", i) }

// The survey in the words of the service.
var (
	questions = []any{
		map[string]any{
			"type": "rating", "question": "How likely are you to recommend us?", "display": "number", "scale": 10,
			"lowerBoundLabel": "Not at all", "upperBoundLabel": "Certainly",
			"branching": map[string]any{"type": "response_based", "responseValues": map[string]any{"detractors": 2, "promoters": "end"}},
		},
		map[string]any{
			"type": "single_choice", "question": "Where did you hear of us?",
			"choices": []any{"From a friend", "In the press", "Elsewhere"}, "hasOpenChoice": true,
		},
		map[string]any{"type": "open", "question": "What should be better?", "description": "A word is enough.", "optional": true},
	}
	conditions = map[string]any{"url": "https://example.com/pricing", "urlMatchType": "icontains", "seenSurveyWaitPeriodInDays": 30}
	appearance = map[string]any{
		"backgroundColor": "#eeeded", "position": "right", "displayThankYouMessage": true, "thankYouMessageHeader": "Thank you!",
	}
)

// wireSurvey is the survey as the service has it, with a name and what else it is
// given.
func wireSurvey(besides map[string]any) map[string]any {
	survey := map[string]any{
		"type": "popover", "description": before,
		"questions": questions, "conditions": conditions, "appearance": appearance,
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
