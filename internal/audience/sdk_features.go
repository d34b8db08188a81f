package audience

import (
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Sources of the facts in the tables.
const (
	// docs is PostHog's published table, which PostHog generates from its survey editor's requirements.
	docs = "survey docs, sdk-feature-support.mdx @0a676e00"
	// changelogs are the packages' changelogs at the versions in the row.
	changelogs = "CHANGELOG.md of each package, at the version"
	// native is the source for changes that each native SDK made separately.
	native = "posthog-react-native #2776, posthog-ios #519, posthog-android #457, each of which has the operators"
)

// Features returns the table of all features. A setting does not count as a used feature if its value is the default
// that PostHog's web interface always stores, because the survey looks the same without it.
func Features() []Feature {
	return []Feature{
		{"conditions.urlMatchType", Since{"1.82.0", "", "", "", ""}, docs, both(uses("conditions.url"), has("conditions.urlMatchType", "regex", "exact"))},
		{"conditions.deviceTypes", Since{"1.214.0", "4.3.0", "3.22.0", "3.21.0", "5.1.0"}, docs, uses("conditions.deviceTypes")},
		{"conditions.seenSurveyWaitPeriodInDays", Since{"1.105.7", "4.81.5", "3.44.0", "3.35.0", "5.18.0"}, docs + "; React Native: " + changelogs,
			uses("conditions.seenSurveyWaitPeriodInDays", "0")},
		{"conditions.linkedFlagVariant", Since{"1.259.0", "4.4.0", "?", "-", "-"}, docs + "; iOS: PostHogSurveyIntegration.swift on main, no release known",
			uses("conditions.linkedFlagVariant")},
		{"conditions.events.values[*].propertyFilters", Since{"1.268.0", "4.16.0", "3.47.0", "3.38.0", "5.20.0"}, docs,
			exists("conditions.events.values.*.propertyFilters.*")},
		// In React Native, an event without the property never matches.
		{"conditions.events.values[*].propertyFilters.*.operator = gt or lt", Since{"1.308.0", "4.16.0", "3.47.0", "3.38.0", "5.20.0"}, docs + "; others: " + native,
			has("conditions.events.values.*.propertyFilters.*.operator", "gt", "lt")},
		{"conditions.cancelEvents", Since{"1.299.0", "-", "-", "-", "-"}, docs, exists("conditions.cancelEvents.values.*")},
		{"conditions.actions", Since{"1.301.0", "-", "-", "-", "-"}, docs, exists("conditions.actions.values.*")},
		{`schedule = "always"`, Since{"1.234.11", "4.27.0", "3.43.0", "3.35.0", "5.18.0"}, docs, has("schedule", "always")},
		{"enable_partial_responses", Since{"1.240.0", "4.75.0", "3.79.0", "3.70.0", "5.48.0"}, docs + "; others: " + changelogs, hasPartialResponses},
		{`type = "external_survey"`, Since{"1.258.1", "", "", "", ""}, changelogs, has("type", External)},
		{"translations", Since{"1.372.3", "4.44.0", "", "", ""}, changelogs, either(exists("translations.*"), exists("questions.*.translations.*"))},
		{"questions[*].branching", Since{"yes", "4.5.0", "", "", ""}, changelogs, hasBranching},
		{"questions[*].optional with branching by the rating", Since{"1.438.24", "", "", "", ""}, changelogs, anyQuestion(skipsARating)},
		{"questions[*].skip_submit_button", Since{"1.244.0", "4.26.0", "3.77.0", "3.66.4", "5.45.0"}, docs + "; others: " + changelogs, uses("questions.*.skip_submit_button")},
		{"questions[*].scale = 2", Since{"1.326.0", "4.19.0", "3.38.0", "3.49.0", "5.13.0"}, docs, anyQuestion(both(has("type", "rating"), has("scale", "2")))},
		{"questions[*].shuffle_options", Since{"1.131.5", "4.68.0", "-", "no", "-"}, docs + "; React Native: " + shuffling, uses("questions.*.shuffle_options")},
		{"questions[*].validation", Since{"1.344.0", "4.31.0", "no", "no", "no"}, docs, exists("questions.*.validation.*")},
		{"appearance.position", Since{"1.245.0", "4.43.13", "no", "no", "no"}, docs, uses("appearance.position", "right", "bottom-right", "next_to_trigger")},
		{`appearance.position = "next_to_trigger", appearance.tabPosition other than right`, Since{"1.294.0", "no", "no", "no", "no"}, docs,
			either(has("appearance.position", "next_to_trigger"), uses("appearance.tabPosition", "right"))},
		{"appearance.fontFamily", Since{"1.223.4", "-", "3.22.0", "no", "-"}, docs, uses("appearance.fontFamily", "inherit")},
		{"appearance.inputBackground, appearance.inputTextColor", Since{"1.300.0", "4.15.0", "3.38.0", "3.49.0", "5.13.0"}, docs,
			either(uses("appearance.inputBackground", "white"), uses("appearance.inputTextColor"))},
		{"appearance.textColor, appearance.submitButtonTextColor", Since{"1.310.1", "4.17.0", "3.38.0", "3.49.0", "5.13.0"}, docs,
			either(uses("appearance.textColor"), uses("appearance.submitButtonTextColor", "white"))},
		{"appearance.shuffleQuestions", Since{"1.131.5", "4.68.0", "-", "-", "-"}, docs + "; React Native: " + shuffling,
			both(uses("appearance.shuffleQuestions"), canBeShuffled)},
		{"appearance.shuffleQuestions with branching or partial responses", Since{"1.131.5", "no", "-", "-", "-"}, docs + "; React Native: " + shuffling,
			both(uses("appearance.shuffleQuestions"), keepsOrder)},
		{"appearance.surveyPopupDelaySeconds", Since{"1.141.0", "-", "3.54.0", "3.49.0", "-"}, docs, uses("appearance.surveyPopupDelaySeconds", "0")},
		{"appearance.displayIntroScreen", Since{"1.415.0", "4.63.0", "3.70.0", "3.59.0", "5.39.0"}, docs + "; Android, Flutter: " + changelogs, uses("appearance.displayIntroScreen")},
		{"appearance.hideCancelButton", Since{"1.306.0", "", "", "", ""}, changelogs, uses("appearance.hideCancelButton")},
		{"appearance.allowGoBack", Since{"1.386.0", "", "", "", ""}, changelogs, uses("appearance.allowGoBack")},
		{"appearance.disableAutofocus", Since{"1.398.0", "", "", "", ""}, changelogs, uses("appearance.disableAutofocus")},
	}
}

// shuffling is the file in which React Native shuffles questions.
const shuffling = "src/surveys/survey-shuffling.ts of posthog-react-native 4.68.0"

// hasPartialResponses reports whether a survey can store answers before its last question is answered.
func hasPartialResponses(attributes map[string]any) bool {
	return attributes["enable_partial_responses"] == true && len(at(attributes, "questions.*")) > 1
}

// hasBranching reports whether a question has branching.
var hasBranching = exists("questions.*.branching.*")

// keepsOrder reports whether React Native keeps the question order, and canBeShuffled reports the opposite.
func keepsOrder(attributes map[string]any) bool {
	return attributes["enable_partial_responses"] == true || hasBranching(attributes)
}

func canBeShuffled(attributes map[string]any) bool { return !keepsOrder(attributes) }

// skipsARating matches questions where skipping a rating must lead to the next question.
var skipsARating = both(both(has("type", "rating"), uses("optional")), func(question map[string]any) bool {
	return has("branching.type", "response_based")(question) && question["skip_submit_button"] != true
})

// test tests a survey's or a question's attributes.
type test func(attributes map[string]any) bool

// uses returns a test for a value at a path. The value must be neither empty nor one of same, which have no effect.
func uses(path string, same ...string) test {
	return func(attributes map[string]any) bool {
		return slices.ContainsFunc(at(attributes, path), func(value any) bool {
			return value != false && !RestrictsNobody(value) && !slices.Contains(same, plainText(value))
		})
	}
}

// has returns a test for one of several values at a path.
func has(path string, texts ...string) test {
	return func(attributes map[string]any) bool {
		return slices.ContainsFunc(at(attributes, path), func(value any) bool { return slices.Contains(texts, plainText(value)) })
	}
}

// exists returns a test for any value at a path, even an empty one.
func exists(path string) test {
	return func(attributes map[string]any) bool { return len(at(attributes, path)) > 0 }
}

func both(a, b test) test {
	return func(attributes map[string]any) bool { return a(attributes) && b(attributes) }
}

func either(a, b test) test {
	return func(attributes map[string]any) bool { return a(attributes) || b(attributes) }
}

func anyQuestion(holds test) test {
	return func(attributes map[string]any) bool {
		return slices.ContainsFunc(at(attributes, "questions.*"), func(element any) bool {
			question, _ := element.(map[string]any)
			return holds(question)
		})
	}
}

// at returns the values at a path, in which * matches each element. It returns none below a value of an unexpected
// type.
func at(value any, path string) []any {
	key, rest, _ := strings.Cut(path, ".")
	var found []any
	switch value := value.(type) {
	case map[string]any:
		for name, element := range value {
			if name == key || key == "*" {
				found = append(found, element)
			}
		}
	case []any:
		if key == "*" {
			found = value
		}
	}
	if rest == "" {
		return found
	}
	var below []any
	for _, element := range found {
		below = append(below, at(element, rest)...)
	}
	return below
}

// RestrictsNobody reports whether a condition is empty, or contains only empty values, as PostHog's web interface
// stores it.
func RestrictsNobody(value any) bool {
	switch value := value.(type) {
	case []any:
		return !slices.ContainsFunc(value, func(element any) bool { return !RestrictsNobody(element) })
	case map[string]any:
		return RestrictsNobody(slices.Collect(maps.Values(value)))
	}
	return jsonvalue.IsEmpty(value)
}
