package preview

import (
	"fmt"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// rendered are the types of questions that the renderer supports.
var rendered = []flow.Kind{flow.Open, flow.Link, flow.Rating, flow.SingleChoice, flow.MultipleChoice}

// notes describe what a preview cannot show.
func notes(object side.Object, wire map[string]any) []string {
	all := placeNotes(wire)

	for _, name := range shown {
		// What the service leaves out of an answer has the default; a plan has an address.
		if object.Address != "" && slices.Contains(object.Unknown, name) {
			all = append(all, "Known only after apply, and not shown: "+name+".")
		}
	}
	for place, kind := range kinds(wire) {
		if !slices.Contains(rendered, kind) {
			all = append(all, fmt.Sprintf("Question %d of %d (place %d) is of a type that the renderer does not show: %q.", place+1, len(kinds(wire)), place, kind))
		}
	}

	if appearance(wire)["displayIntroScreen"] == true && !hasIntro(wire) {
		all = append(all, "The intro screen has neither a header nor a description, so respondents do not see it.")
	}
	if shuffles(wire) {
		all = append(all, "Respondents see questions or choices in random order, the preview in that of the code.")
	}
	return all
}

// placeNotes describe what a preview cannot know of the place where a survey is shown: the
// page of an application, or of the service.
func placeNotes(wire map[string]any) []string {
	var all []string
	look := appearance(wire)

	switch wire["type"] {
	case "api":
		all = append(all, "A survey of type api is drawn by the application: the renderer shows only what it asks.")
	case "external_survey":
		all = append(all, "The service puts an external survey on a page of its own, which is not drawn here.")
	case "widget":
		if selector, ok := look["widgetSelector"].(string); ok && look["widgetType"] != "tab" {
			all = append(all, fmt.Sprintf("Respondents open it by an element of the application, %q, which is not drawn here.", selector))
		}
	}
	if look["position"] == "next_to_trigger" {
		all = append(all, "Respondents see it next to the element that opens it. That is not drawn here, so the survey is on the right.")
	}
	return all
}
