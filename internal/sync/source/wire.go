package source

import (
	"encoding/json"
	"maps"
	"strings"
)

// WireQuestions returns an object's questions with PostHog's keys instead of attribute names. It omits
// elements that are not objects.
func WireQuestions(attribute any) []any {
	questions, _ := attribute.([]any)
	converted := make([]any, 0, len(questions))
	for _, question := range questions {
		if attributes, ok := question.(map[string]any); ok {
			converted = append(converted, wireQuestion(attributes))
		}
	}
	return converted
}

// wireQuestion converts a question to PostHog's keys. The extra attribute contains keys that have no
// provider attribute.
func wireQuestion(attributes map[string]any) map[string]any {
	question := map[string]any{}
	if extra, ok := attributes["extra"].(map[string]any); ok {
		maps.Copy(question, extra)
	}
	for name, value := range attributes {
		switch name {
		case "extra":
		case "branching":
			question[name] = wireBranching(value)
		default:
			question[wireName(name)] = value
		}
	}
	return question
}

// wireBranching converts branching positions, which attributes contain as strings, to numbers.
func wireBranching(value any) any {
	attributes, ok := value.(map[string]any)
	if !ok {
		return value
	}

	branching := map[string]any{}
	for name, one := range attributes {
		branching[wireName(name)] = one
	}
	if words, ok := attributes["response_values"].(map[string]any); ok {
		targets := map[string]any{}
		for key, word := range words {
			targets[key] = target(word)
		}
		branching[wireName("response_values")] = targets
	}
	return branching
}

// target decodes a response value if it is valid JSON. Otherwise, it returns a string.
func target(word any) any {
	text, ok := word.(string)
	if ok && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return word
}

// wireName returns PostHog's key for a question attribute.
func wireName(attribute string) string {
	words := strings.Split(attribute, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}
