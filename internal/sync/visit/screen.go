package visit

import (
	"maps"
	"slices"
	"strconv"
)

// Screen is one thing that respondents see: a question, by its place, or one of the others.
type Screen string

// The screens that are no questions.
const (
	// Tab is the tab at the border of the window that opens a widget.
	Tab Screen = "tab"
	// Intro is what comes before the first question.
	Intro Screen = "intro"
	// End is what comes after the last question: the thank-you message, or nothing.
	End Screen = "end"
)

// question is the screen of the question at a place.
func question(place int) Screen { return Screen(strconv.Itoa(place)) }

// screens are what respondents may see of a survey, in the order in which they do.
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

// appearance is the appearance of a survey.
func appearance(wire map[string]any) map[string]any {
	look, _ := wire["appearance"].(map[string]any)
	return look
}

// hasTab reports whether a tab opens the survey.
func hasTab(wire map[string]any) bool {
	return wire["type"] == "widget" && appearance(wire)["widgetType"] == "tab"
}

// hasIntro reports whether respondents see an intro screen: one without a text is left out.
func hasIntro(wire map[string]any) bool {
	look := appearance(wire)
	header, _ := look["introScreenHeader"].(string)
	description, _ := look["introScreenDescription"].(string)
	return look["displayIntroScreen"] == true && header+description != ""
}

// hasThanks reports whether respondents see a message at the end.
func hasThanks(wire map[string]any) bool { return appearance(wire)["displayThankYouMessage"] == true }

// languages are the languages of the translations of a survey and of its questions.
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
