package review

import (
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Features are all features, as a table. What the web interface stores
// with every survey, as the default, is no use of a feature: it looks the same without.
func Features() []Feature {
	return []Feature{
		{"conditions.urlMatchType", [5]string{"1.82.0", "no", "no", "no", "no"}, both(uses("conditions.url"), has("conditions.urlMatchType", "regex", "exact"))},
		{"conditions.deviceTypes", [5]string{"1.214.0", "4.3.0", "3.22.0", "3.21.0", "5.1.0"}, uses("conditions.deviceTypes")},
		{"conditions.seenSurveyWaitPeriodInDays", [5]string{"1.105.7", "4.81.5", "3.44.0", "3.35.0", "5.18.0"}, uses("conditions.seenSurveyWaitPeriodInDays", "0")},
		{"conditions.linkedFlagVariant", [5]string{"1.259.0", "4.4.0", "-", "-", "-"}, uses("conditions.linkedFlagVariant")},
		{"conditions.events.values[*].propertyFilters", [5]string{"1.268.0", "4.16.0", "3.47.0", "3.38.0", "5.20.0"}, exists("conditions.events.values.*.propertyFilters.*")},
		{"conditions.events.values[*].propertyFilters.*.operator = gt or lt", [5]string{"1.308.0", "?", "?", "?", "?"}, has("conditions.events.values.*.propertyFilters.*.operator", "gt", "lt")},
		{"conditions.cancelEvents", [5]string{"1.299.0", "-", "-", "-", "-"}, exists("conditions.cancelEvents.values.*")},
		{"conditions.actions", [5]string{"1.301.0", "-", "-", "-", "-"}, exists("conditions.actions.values.*")},
		{`schedule = "always"`, [5]string{"1.234.11", "4.27.0", "3.43.0", "3.35.0", "5.18.0"}, has("schedule", "always")},
		{"enable_partial_responses", [5]string{"1.240.0", "4.75.0", "3.79.0", "3.70.0", "5.48.0"},
			func(s map[string]any) bool {
				return s["enable_partial_responses"] == true && len(at(s, "questions.*")) > 1
			}},
		{`type = "external_survey"`, [5]string{"1.258.1", "", "", "", ""}, has("type", "external_survey")},
		{"translations", [5]string{"1.372.3", "4.44.0", "", "", ""}, either(exists("translations.*"), exists("questions.*.translations.*"))},
		{"questions[*].branching", [5]string{"yes", "4.5.0", "", "", ""}, exists("questions.*.branching.*")},
		{"questions[*].optional with branching by the rating", [5]string{"1.438.24", "", "", "", ""}, anyQuestion(skipsARating)},
		{"questions[*].skip_submit_button", [5]string{"1.244.0", "4.26.0", "3.77.0", "3.66.4", "5.45.0"}, uses("questions.*.skip_submit_button")},
		{"questions[*].scale = 2", [5]string{"1.326.0", "4.19.0", "3.38.0", "3.49.0", "5.13.0"}, anyQuestion(both(has("type", "rating"), has("scale", "2")))},
		{"questions[*].shuffle_options", [5]string{"1.131.5", "-", "-", "no", "-"}, uses("questions.*.shuffle_options")},
		{"questions[*].validation", [5]string{"1.344.0", "4.31.0", "no", "no", "no"}, exists("questions.*.validation.*")},
		{"appearance.position", [5]string{"1.245.0", "4.43.13", "no", "no", "no"}, uses("appearance.position", "right", "bottom-right", "next_to_trigger")},
		{`appearance.position = "next_to_trigger", appearance.tabPosition other than right`, [5]string{"1.294.0", "no", "no", "no", "no"},
			either(has("appearance.position", "next_to_trigger"), uses("appearance.tabPosition", "right"))},
		{"appearance.fontFamily", [5]string{"1.223.4", "-", "3.22.0", "no", "-"}, uses("appearance.fontFamily", "inherit")},
		{"appearance.inputBackground, appearance.inputTextColor", [5]string{"1.300.0", "4.15.0", "3.38.0", "3.49.0", "5.13.0"},
			either(uses("appearance.inputBackground", "white"), uses("appearance.inputTextColor"))},
		{"appearance.textColor, appearance.submitButtonTextColor", [5]string{"1.310.1", "4.17.0", "3.38.0", "3.49.0", "5.13.0"},
			either(uses("appearance.textColor"), uses("appearance.submitButtonTextColor", "white"))},
		{"appearance.shuffleQuestions", [5]string{"1.131.5", "-", "-", "-", "-"}, uses("appearance.shuffleQuestions")},
		{"appearance.surveyPopupDelaySeconds", [5]string{"1.141.0", "-", "3.54.0", "3.49.0", "-"}, uses("appearance.surveyPopupDelaySeconds", "0")},
		{"appearance.displayIntroScreen", [5]string{"1.415.0", "4.63.0", "3.70.0", "3.59.0", "5.39.0"}, uses("appearance.displayIntroScreen")},
		{"appearance.hideCancelButton", [5]string{"1.306.0", "", "", "", ""}, uses("appearance.hideCancelButton")},
		{"appearance.allowGoBack", [5]string{"1.386.0", "", "", "", ""}, uses("appearance.allowGoBack")},
		{"appearance.disableAutofocus", [5]string{"1.398.0", "", "", "", ""}, uses("appearance.disableAutofocus")},
	}
}

// skipsARating is for questions of which skipping is to lead on from the rating.
var skipsARating = both(both(has("type", "rating"), uses("optional")), func(question map[string]any) bool {
	return has("branching.type", "response_based")(question) && question["skip_submit_button"] != true
})

// test is a test of the attributes of a survey, or of those of a question.
type test func(attributes map[string]any) bool

// uses tests for a value at a path, but for those that look the same as none.
func uses(path string, same ...string) test {
	return func(attributes map[string]any) bool {
		return slices.ContainsFunc(at(attributes, path), func(value any) bool {
			return value != false && !restrictsNobody(value) && !slices.Contains(same, textOf(value))
		})
	}
}

// has tests for one of some values at a path.
func has(path string, texts ...string) test {
	return func(attributes map[string]any) bool {
		return slices.ContainsFunc(at(attributes, path), func(value any) bool { return slices.Contains(texts, textOf(value)) })
	}
}

// exists tests for any value at a path, be it empty.
func exists(path string) test {
	return func(attributes map[string]any) bool { return len(at(attributes, path)) > 0 }
}

func both(a, b test) test {
	return func(attributes map[string]any) bool { return a(attributes) && b(attributes) }
}

func either(a, b test) test {
	return func(attributes map[string]any) bool { return a(attributes) || b(attributes) }
}

func anyQuestion(is test) test {
	return func(attributes map[string]any) bool {
		return slices.ContainsFunc(at(attributes, "questions.*"), func(element any) bool {
			question, _ := element.(map[string]any)
			return is(question)
		})
	}
}

// at are the values at a path, in which * stands for each element. A value of another type than
// the service knows has none.
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

// textOf is a text, or a number as its digits; empty for anything else.
func textOf(value any) string {
	switch value.(type) {
	case []any, map[string]any, bool:
		return ""
	}
	return jsonvalue.String(value)
}
