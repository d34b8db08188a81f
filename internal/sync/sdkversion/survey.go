package sdkversion

import (
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// survey has the attributes of the resource, question those of one question. A value of
// another type than the service knows counts as none.
type (
	survey   map[string]any
	question map[string]any
)

// of is the value at a path; nil for none.
func (s survey) of(path ...string) any {
	var value any = map[string]any(s)
	for _, key := range path {
		fields, _ := value.(map[string]any)
		value = fields[key]
	}
	return value
}

// condition and appearance are a text of conditions, or of the appearance; empty for none.
func (s survey) condition(key string) string  { return textOf(s.of("conditions", key)) }
func (s survey) appearance(key string) string { return textOf(s.of("appearance", key)) }

// eventOperators are the operators by which the properties of events are compared; one that is
// left out is empty.
func (s survey) eventOperators() []string {
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
func (s survey) hasQuestions(count int) bool {
	list, _ := s["questions"].([]any)
	return len(list) >= count
}

func (s survey) anyQuestion(is func(question) bool) bool {
	list, _ := s["questions"].([]any)
	return slices.ContainsFunc(list, func(element any) bool {
		fields, _ := element.(map[string]any)
		return is(question(fields))
	})
}

// skipsARating reports whether skipping a question is to lead on from its rating.
func (q question) skipsARating() bool {
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
