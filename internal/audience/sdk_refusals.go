package audience

import (
	"fmt"
	"strings"
)

// Refusal is a part of a survey for which an SDK never shows it.
type Refusal struct {
	// Setting is how the part is named in code.
	Setting string
	// Since is from which version on an SDK does not show such a survey, Source where that is written.
	Since  Since
	Source string

	isUsed test
}

// Refusals are what the SDKs of mobile apps never show, as a table: an app has no URL and no element of a page.
func Refusals() []Refusal {
	since := Since{"", "4.10.4", "3.67.1", "yes", "?"}
	const source = "CHANGELOG.md of posthog-react-native 4.10.4 and posthog-ios 3.67.1; Android: PostHogSurveysIntegration.kt on main; Flutter shows by these"
	return []Refusal{
		{"conditions.url", since, source, uses("conditions.url")},
		{"conditions.selector", since, source, uses("conditions.selector")},
	}
}

// shownTypes are the types of surveys that an SDK shows: a popover by itself, an api survey where an app asks
// for it, by displaySurvey(id) of posthog-ios and posthog-android.
var shownTypes = Since{"", "popover", "popover api", "popover api", "popover"}

// NeverShows names what of a survey keeps an SDK of some version from ever showing it; empty for nothing. An
// empty version is the newest one.
func (sdk SDK) NeverShows(attributes map[string]any, used string) string {
	var settings []string
	for _, refusal := range Refusals() {
		if refusal.isUsed(attributes) && refusal.Since.isReached(sdk, used) {
			settings = append(settings, refusal.Setting)
		}
	}
	return strings.Join(settings, " and ")
}

// ExcludedSDKs says which SDKs never show a survey, and why; empty when each may.
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

// ExcludedSDKs says which SDKs never show the survey, and why; empty when each may.
func (s *Survey) ExcludedSDKs() string {
	c, _ := s.conditions()
	return ExcludedSDKs(map[string]any{"conditions": map[string]any{"url": c.URL, "selector": c.Selector}})
}
