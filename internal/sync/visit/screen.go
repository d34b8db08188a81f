package visit

import (
	"maps"
	"slices"
	"strconv"
)

// Screen is a screen that respondents see: a question, identified by its position, or another screen.
type Screen string

// Screens that are not questions.
const (
	// Tab is the tab at the edge of the window that opens a widget.
	Tab Screen = "tab"
	// Intro is the screen before the first question.
	Intro Screen = "intro"
	// End is the screen after the last question. It shows the thank-you message, or nothing.
	End Screen = "end"
)

// question returns the screen of the question at a position.
func question(place int) Screen { return Screen(strconv.Itoa(place)) }

// screens returns the screens of a survey in their usual order.
func (s Survey) screens() []Screen {
	var screens []Screen
	if hasTab(s.wire) {
		screens = append(screens, Tab)
	}
	if hasIntro(s.wire) {
		screens = append(screens, Intro)
	}
	for place := range s.flow {
		screens = append(screens, question(place))
	}
	if hasThanks(s.wire) {
		screens = append(screens, End)
	}
	return screens
}

// appearance returns the appearance of a survey.
func appearance(wire map[string]any) map[string]any {
	look, _ := wire["appearance"].(map[string]any)
	return look
}

// hasTab reports whether a tab opens the survey.
func hasTab(wire map[string]any) bool {
	return wire["type"] == "widget" && appearance(wire)["widgetType"] == "tab"
}

// hasIntro reports whether respondents see an intro screen. Respondents do not see an intro without text.
func hasIntro(wire map[string]any) bool {
	look := appearance(wire)
	header, _ := look["introScreenHeader"].(string)
	description, _ := look["introScreenDescription"].(string)
	return look["displayIntroScreen"] == true && header+description != ""
}

// hasThanks reports whether respondents see a message at the end.
func hasThanks(wire map[string]any) bool { return appearance(wire)["displayThankYouMessage"] == true }

// languages returns the languages into which the survey or its questions are translated.
func languages(wire map[string]any) []string {
	tags := map[string]bool{}
	add := func(fields map[string]any) {
		translations, _ := fields["translations"].(map[string]any)
		for language := range translations {
			tags[language] = true
		}
	}

	add(wire)
	for _, question := range surveyQuestions(wire) {
		add(question)
	}
	return slices.Sorted(maps.Keys(tags))
}
