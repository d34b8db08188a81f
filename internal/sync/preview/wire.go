package preview

import (
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

	survey["questions"] = side.WireQuestions(survey["questions"])
	return survey
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
