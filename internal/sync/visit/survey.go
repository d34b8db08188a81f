package visit

import (
	"fmt"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Survey is a survey to preview.
type Survey struct {
	// Name is the survey's name. Label is a unique word for file names and URLs.
	Name, Label string
	// Address is the Terraform address of the resource. It is empty for a live survey.
	Address string
	// Type is the survey's type: popover, widget, api, or external_survey.
	Type string
	// Notes describes how the preview differs from what respondents see.
	Notes []string
	// Languages contains the languages into which any of the survey's texts is translated, sorted.
	Languages []string

	// wire is the survey in the renderer's format.
	wire map[string]any
	// flow is the survey's branching.
	flow []flow.Question
}

// Surveys returns a source's surveys in the source's order. label returns a survey's name in file names.
func Surveys(objects []source.Object, label func(source.Object) string) ([]Survey, error) {
	var surveys []Survey
	labels := map[string]bool{}

	for _, object := range objects {
		if object.Kind != source.Survey {
			continue
		}

		questions, err := review.Questions(object)
		if err != nil {
			return nil, err
		}
		s := Survey{Name: object.Name, Address: object.Address, flow: review.Flow(questions), wire: wire(object)}
		s.Type, _ = object.Attributes["type"].(string)
		s.Label = code.Unique(label(object), labels)
		s.Notes, s.Languages = notes(object, s.wire), languages(s.wire)
		surveys = append(surveys, s)
	}
	return surveys, nil
}

// shown lists the survey attributes that the renderer needs.
var shown = []string{"type", "questions", "appearance", "translations"}

// Size is the number of questions.
func (s Survey) Size() int { return len(s.flow) }

// wire converts a survey for the renderer. It replaces attribute names with PostHog's keys, which JSON
// attributes already have.
func wire(object source.Object) map[string]any {
	survey := map[string]any{"id": object.ID, "name": object.Name, "questions": []any{}, "appearance": map[string]any{}}
	for _, name := range shown {
		if value, ok := object.Attributes[name]; ok {
			survey[name] = source.Shown(value)
		}
	}
	// The renderer reads colors from the appearance, so it must be an object.
	if _, ok := survey["appearance"].(map[string]any); !ok {
		survey["appearance"] = map[string]any{}
	}

	survey["questions"] = source.WireQuestions(survey["questions"])
	return survey
}

// surveyQuestions returns the questions of a survey.
func surveyQuestions(wire map[string]any) []map[string]any {
	list, _ := wire["questions"].([]any)
	questions := make([]map[string]any, len(list))
	for i := range list {
		questions[i], _ = list[i].(map[string]any)
	}
	return questions
}

// shuffles reports whether the survey's questions are shuffled. The preview does not shuffle them, because
// the flow refers to positions in the configuration.
func shuffles(wire map[string]any) bool {
	return appearance(wire)["shuffleQuestions"] == true ||
		slices.ContainsFunc(surveyQuestions(wire), func(question map[string]any) bool { return question["shuffleOptions"] == true })
}

// rendered lists the question types that the renderer supports.
var rendered = []flow.Kind{flow.Open, flow.Link, flow.Rating, flow.SingleChoice, flow.MultipleChoice}

// notes describes what a preview cannot show.
func notes(object source.Object, wire map[string]any) []string {
	lines := placeNotes(wire)

	for _, name := range shown {
		// A PostHog response omits a field that has its default value. Only surveys from a plan have an
		// address.
		if object.Address != "" && slices.Contains(object.Unknown, name) {
			lines = append(lines, "Known only after apply, so not shown: "+name+".")
		}
	}
	questions := surveyQuestions(wire)
	for place, question := range questions {
		if kind, _ := question["type"].(string); !slices.Contains(rendered, flow.Kind(kind)) {
			lines = append(lines, fmt.Sprintf("Question %d of %d (position %d) has a type that the renderer does not show: %q.", place+1, len(questions), place, kind))
		}
	}

	if appearance(wire)["displayIntroScreen"] == true && !hasIntro(wire) {
		lines = append(lines, "The intro screen has neither a header nor a description, so respondents do not see it.")
	}
	if shuffles(wire) {
		lines = append(lines, "Respondents see questions or choices in random order. The preview shows the configured order.")
	}
	return lines
}

// placeNotes describes what a preview cannot show because a survey appears elsewhere: in an app, or on a
// page that PostHog hosts.
func placeNotes(wire map[string]any) []string {
	var all []string
	look := appearance(wire)

	switch wire["type"] {
	case "api":
		all = append(all, "Your app displays a survey of type api. The renderer shows only its questions.")
	case "external_survey":
		all = append(all, "PostHog shows an external survey on a separate page, which is not shown here.")
	case "widget":
		if selector, ok := look["widgetSelector"].(string); ok && look["widgetType"] != "tab" {
			all = append(all, fmt.Sprintf("Respondents open it with an element of your app, %q, which is not shown here.", selector))
		}
	}
	if look["position"] == "next_to_trigger" {
		all = append(all, "Respondents see it next to the element that opens it. The element is not shown here, so the survey is on the right.")
	}
	return all
}
