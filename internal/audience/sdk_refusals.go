package audience

import (
	"fmt"
	"strings"
)

// Refusal is a setting that prevents an SDK from showing a survey.
type Refusal struct {
	// Setting is the name of the setting in code.
	Setting string
	// Since contains, for each SDK, the first version that does not show such a survey. Source says where this
	// information comes from.
	Since  Since
	Source string

	isUsed test
}

// Refusals returns the table of settings that prevent mobile SDKs from showing a survey. A mobile app has neither URLs
// nor page elements.
func Refusals() []Refusal {
	since := Since{"", "4.10.4", "3.67.1", "yes", "?"}
	const source = "CHANGELOG.md of posthog-react-native 4.10.4 and posthog-ios 3.67.1; Android: PostHogSurveysIntegration.kt on main; Flutter shows by these"
	return []Refusal{
		{"conditions.url", since, source, uses("conditions.url")},
		{"conditions.selector", since, source, uses("conditions.selector")},
	}
}

// shownTypes contains the survey types that each SDK shows. An SDK shows a popover automatically. It shows an api
// survey when the app calls displaySurvey(id) from posthog-ios or posthog-android.
var shownTypes = Since{"", "popover", "popover api", "popover api", "popover"}

// NeverShows returns the settings that prevent an SDK version from showing a survey, or an empty string if there are
// none. An empty version means the newest one.
func (sdk SDK) NeverShows(attributes map[string]any, used string) string {
	var settings []string
	for _, refusal := range Refusals() {
		if refusal.isUsed(attributes) && refusal.Since.isReached(sdk, used) {
			settings = append(settings, refusal.Setting)
		}
	}
	return strings.Join(settings, " and ")
}

// ExcludedSDKs explains which SDKs never show a survey. It returns an empty string if all SDKs may show it.
func ExcludedSDKs(attributes map[string]any) string {
	var names []string
	reason := ""
	for _, sdk := range SDKs() {
		settings := sdk.NeverShows(attributes, "")
		if settings == "" {
			continue
		}
		reason = settings
		name := string(sdk)
		if since := Refusals()[0].Since.In(sdk); isVersion.MatchString(since) {
			name += " (from " + since + " on)"
		}
		names = append(names, name)
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("%s never show a survey with %s", inSentence(names), reason)
}

// ExcludedSDKs explains which SDKs never show the survey. It returns an empty string if all SDKs may show it.
func (s *Survey) ExcludedSDKs() string {
	c, _ := s.conditions()
	return ExcludedSDKs(map[string]any{"conditions": map[string]any{"url": c.URL, "selector": c.Selector}})
}
