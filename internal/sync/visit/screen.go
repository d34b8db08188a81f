package visit

import (
	"maps"
	"slices"
	"strconv"
)

// Screen is one screen that respondents see: a question, identified by its position, or one of the
// other screens.
type Screen string

// The screens that are not questions.
const (
	// Tab is the tab at the edge of the window that opens a widget.
	Tab Screen = "tab"
	// Intro is the screen before the first question.
	Intro Screen = "intro"
	// End is what respondents see after the last question: the thank-you message, or nothing.
	End Screen = "end"
)

// question returns the screen of the question at a position.
func question(place int) Screen { return Screen(strconv.Itoa(place)) }

// screens returns the screens of a survey, in the order in which respondents may see them.
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

// hasIntro reports whether respondents see an intro screen. An intro without text is not shown.
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
