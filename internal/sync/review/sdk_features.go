package review

import (
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Features are all features, as a table. What the web interface stores
// with every survey, as the default, is no use of a feature: it looks the same without.
func Features() []Feature {
	return []Feature{
		{"conditions.urlMatchType", [5]string{"1.82.0", "no", "no", "no", "no"},
			func(s surveyFields) bool {
				return s.condition("url") != "" && isOneOf(s.condition("urlMatchType"), "regex", "exact")
			}},
		{"conditions.deviceTypes", [5]string{"1.214.0", "4.3.0", "3.22.0", "3.21.0", "5.1.0"},
			func(s surveyFields) bool { return hasElements(s.of("conditions", "deviceTypes")) }},
		{"conditions.seenSurveyWaitPeriodInDays", [5]string{"1.105.7", "4.81.5", "3.44.0", "3.35.0", "5.18.0"},
			func(s surveyFields) bool { return isPositive(s.of("conditions", "seenSurveyWaitPeriodInDays")) }},
		{"conditions.linkedFlagVariant", [5]string{"1.259.0", "4.4.0", "-", "-", "-"},
			func(s surveyFields) bool { return s.condition("linkedFlagVariant") != "" }},
		{"conditions.events.values[*].propertyFilters", [5]string{"1.268.0", "4.16.0", "3.47.0", "3.38.0", "5.20.0"},
			func(s surveyFields) bool { return len(s.eventOperators()) > 0 }},
		{"conditions.events.values[*].propertyFilters.*.operator = gt or lt", [5]string{"1.308.0", "?", "?", "?", "?"},
			func(s surveyFields) bool { return containsAny(s.eventOperators(), "gt", "lt") }},
		{"conditions.cancelEvents", [5]string{"1.299.0", "-", "-", "-", "-"},
			func(s surveyFields) bool { return hasElements(s.of("conditions", "cancelEvents", "values")) }},
		{"conditions.actions", [5]string{"1.301.0", "-", "-", "-", "-"},
			func(s surveyFields) bool { return hasElements(s.of("conditions", "actions", "values")) }},
		{`schedule = "always"`, [5]string{"1.234.11", "4.27.0", "3.43.0", "3.35.0", "5.18.0"},
			func(s surveyFields) bool { return s["schedule"] == "always" }},
		{"enable_partial_responses", [5]string{"1.240.0", "4.75.0", "3.79.0", "3.70.0", "5.48.0"},
			func(s surveyFields) bool { return s["enable_partial_responses"] == true && s.hasQuestions(2) }},
		{`type = "external_survey"`, [5]string{"1.258.1", "", "", "", ""}, func(s surveyFields) bool { return s["type"] == "external_survey" }},
		{"translations", [5]string{"1.372.3", "4.44.0", "", "", ""},
			func(s surveyFields) bool {
				return hasMembers(s["translations"]) || s.anyQuestion(func(q questionFields) bool { return hasMembers(q["translations"]) })
			}},
		{"questions[*].branching", [5]string{"yes", "4.5.0", "", "", ""},
			func(s surveyFields) bool {
				return s.anyQuestion(func(q questionFields) bool { return hasMembers(q["branching"]) })
			}},
		{"questions[*].optional with branching by the rating", [5]string{"1.438.24", "", "", "", ""},
			func(s surveyFields) bool { return s.anyQuestion(questionFields.skipsARating) }},
		{"questions[*].skip_submit_button", [5]string{"1.244.0", "4.26.0", "3.77.0", "3.66.4", "5.45.0"},
			func(s surveyFields) bool {
				return s.anyQuestion(func(q questionFields) bool { return q["skip_submit_button"] == true })
			}},
		{"questions[*].scale = 2", [5]string{"1.326.0", "4.19.0", "3.38.0", "3.49.0", "5.13.0"},
			func(s surveyFields) bool {
				return s.anyQuestion(func(q questionFields) bool { return q["type"] == "rating" && textOf(q["scale"]) == "2" })
			}},
		{"questions[*].shuffle_options", [5]string{"1.131.5", "-", "-", "no", "-"},
			func(s surveyFields) bool {
				return s.anyQuestion(func(q questionFields) bool { return q["shuffle_options"] == true })
			}},
		{"questions[*].validation", [5]string{"1.344.0", "4.31.0", "no", "no", "no"},
			func(s surveyFields) bool {
				return s.anyQuestion(func(q questionFields) bool { return hasElements(q["validation"]) })
			}},
		{"appearance.position", [5]string{"1.245.0", "4.43.13", "no", "no", "no"},
			func(s surveyFields) bool {
				return !isOneOf(s.appearance("position"), "", "right", "bottom-right", "next_to_trigger")
			}},
		{`appearance.position = "next_to_trigger", appearance.tabPosition other than right`, [5]string{"1.294.0", "no", "no", "no", "no"},
			func(s surveyFields) bool {
				return s.appearance("position") == "next_to_trigger" || !isOneOf(s.appearance("tabPosition"), "", "right")
			}},
		{"appearance.fontFamily", [5]string{"1.223.4", "-", "3.22.0", "no", "-"},
			func(s surveyFields) bool { return !isOneOf(s.appearance("fontFamily"), "", "inherit") }},
		{"appearance.inputBackground, appearance.inputTextColor", [5]string{"1.300.0", "4.15.0", "3.38.0", "3.49.0", "5.13.0"},
			func(s surveyFields) bool {
				return !isOneOf(s.appearance("inputBackground"), "", "white") || s.appearance("inputTextColor") != ""
			}},
		{"appearance.textColor, appearance.submitButtonTextColor", [5]string{"1.310.1", "4.17.0", "3.38.0", "3.49.0", "5.13.0"},
			func(s surveyFields) bool {
				return s.appearance("textColor") != "" || !isOneOf(s.appearance("submitButtonTextColor"), "", "white")
			}},
		{"appearance.shuffleQuestions", [5]string{"1.131.5", "-", "-", "-", "-"},
			func(s surveyFields) bool { return s.of("appearance", "shuffleQuestions") == true }},
		{"appearance.surveyPopupDelaySeconds", [5]string{"1.141.0", "-", "3.54.0", "3.49.0", "-"},
			func(s surveyFields) bool { return isPositive(s.of("appearance", "surveyPopupDelaySeconds")) }},
		{"appearance.displayIntroScreen", [5]string{"1.415.0", "4.63.0", "3.70.0", "3.59.0", "5.39.0"},
			func(s surveyFields) bool { return s.of("appearance", "displayIntroScreen") == true }},
		{"appearance.hideCancelButton", [5]string{"1.306.0", "", "", "", ""}, func(s surveyFields) bool { return s.of("appearance", "hideCancelButton") == true }},
		{"appearance.allowGoBack", [5]string{"1.386.0", "", "", "", ""}, func(s surveyFields) bool { return s.of("appearance", "allowGoBack") == true }},
		{"appearance.disableAutofocus", [5]string{"1.398.0", "", "", "", ""}, func(s surveyFields) bool { return s.of("appearance", "disableAutofocus") == true }},
	}
}

// surveyFields are the attributes of the resource, questionFields those of one question. A value of
// another type than the service knows counts as none.
type (
	surveyFields   map[string]any
	questionFields map[string]any
)

// of is the value at a path; nil for none.
func (s surveyFields) of(path ...string) any {
	var value any = map[string]any(s)
	for _, key := range path {
		fields, _ := value.(map[string]any)
		value = fields[key]
	}
	return value
}

// condition and appearance are a text of conditions, or of the appearance; empty for none.
func (s surveyFields) condition(key string) string  { return textOf(s.of("conditions", key)) }
func (s surveyFields) appearance(key string) string { return textOf(s.of("appearance", key)) }

// eventOperators are the operators by which the properties of events are compared; one that is
// left out is empty.
func (s surveyFields) eventOperators() []string {
	var operators []string
	events, _ := s.of("conditions", "events", "values").([]any)
	for _, element := range events {
		event, _ := element.(map[string]any)
		filters, _ := event["propertyFilters"].(map[string]any)
		for _, filter := range filters {
			fields, _ := filter.(map[string]any)
			operators = append(operators, textOf(fields["operator"]))
		}
	}
	return operators
}

// hasQuestions reports whether there are so many questions, or more.
func (s surveyFields) hasQuestions(count int) bool {
	list, _ := s["questions"].([]any)
	return len(list) >= count
}

func (s surveyFields) anyQuestion(is func(questionFields) bool) bool {
	list, _ := s["questions"].([]any)
	return slices.ContainsFunc(list, func(element any) bool {
		fields, _ := element.(map[string]any)
		return is(questionFields(fields))
	})
}

// skipsARating reports whether skipping a question is to lead on from its rating.
func (q questionFields) skipsARating() bool {
	branching, _ := q["branching"].(map[string]any)
	return q["type"] == "rating" && q["optional"] == true && branching["type"] == "response_based" && q["skip_submit_button"] != true
}

// textOf is a text, or a number as its digits; empty for anything else.
func textOf(value any) string {
	switch value.(type) {
	case []any, map[string]any, bool:
		return ""
	}
	return jsonvalue.String(value)
}

func isPositive(value any) bool {
	number, err := strconv.ParseFloat(textOf(value), 64)
	return err == nil && number > 0
}

func hasElements(value any) bool {
	list, _ := value.([]any)
	return len(list) > 0
}

func hasMembers(value any) bool {
	fields, _ := value.(map[string]any)
	return len(fields) > 0
}

func isOneOf(text string, texts ...string) bool { return slices.Contains(texts, text) }

func containsAny(list []string, texts ...string) bool {
	return slices.ContainsFunc(list, func(text string) bool { return slices.Contains(texts, text) })
}
