package preview

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// wire converts a survey for the renderer: with the keys of the service instead of the
// names of attributes. JSON attributes have them already.
func wire(object side.Object) map[string]any {
	survey := map[string]any{"id": object.ID, "name": object.Name, "questions": []any{}, "appearance": map[string]any{}}
	for _, name := range shown {
		if value, ok := object.Attributes[name]; ok {
			survey[name] = side.Shown(value)
		}
	}
	// The appearance decides on colours: anything but an object would be none.
	if _, ok := survey["appearance"].(map[string]any); !ok {
		survey["appearance"] = map[string]any{}
	}

	questions, _ := survey["questions"].([]any)
	converted := make([]any, 0, len(questions))
	for _, question := range questions {
		if attributes, ok := question.(map[string]any); ok {
			converted = append(converted, wireQuestion(attributes))
		}
	}
	survey["questions"] = converted
	return survey
}

// wireQuestion is a question with the keys of the service. Keys that the provider has no
// attribute for are in extra.
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

// wireBranching has places as numbers, which attributes hold as text.
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

// target converts a response value: valid JSON is decoded, anything else is a string.
func target(word any) any {
	text, ok := word.(string)
	if ok && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return word
}

// wireName is the key of the service for an attribute of a question.
func wireName(attribute string) string {
	words := strings.Split(attribute, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// kinds are the types of the questions of a survey, in their order.
func kinds(survey map[string]any) []flow.Kind {
	questions, _ := survey["questions"].([]any)
	found := make([]flow.Kind, len(questions))
	for i, question := range questions {
		if one, ok := question.(map[string]any); ok {
			kind, _ := one["type"].(string)
			found[i] = flow.Kind(kind)
		}
	}
	return found
}

// shuffles reports whether a survey is shown in random order, which the preview leaves
// out: places in the flow are those of the code.
func shuffles(survey map[string]any) bool {
	appearance, _ := survey["appearance"].(map[string]any)
	found := appearance["shuffleQuestions"] == true

	questions, _ := survey["questions"].([]any)
	for _, question := range questions {
		if one, ok := question.(map[string]any); ok && one["shuffleOptions"] == true {
			found = true
		}
	}
	return found
}
