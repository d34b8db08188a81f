package check_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

// posed returns a survey with a valid question and the given keys, which contain a mistake.
func posed(keys object) object {
	if _, ok := keys["questions"]; !ok {
		keys["questions"] = []any{open(nil)}
	}
	return with(keys)
}

// targeted returns a survey for the persons in one group of filters.
func targeted(group string) object {
	return posed(object{"targeting_flag_filters": `{"groups":[` + group + `]}`})
}

func branch(keys object) any { return single(object{"branching": keys}) }

// mistakes are surveys as people often write them first.
var mistakes = []struct {
	name string
	// isReported is set if validation reports the mistake, which makes the plan fail. The plan only warns of the others.
	isReported bool
	code       check.Code
	config     object
}{
	{"blank name", true, "missing-name", posed(object{"name": " "})},
	{"endless name", true, "name-too-long", posed(object{"name": strings.Repeat("n", 401)})},
	{"type of another product", true, "unknown-value", posed(object{"type": "modal"})},
	{"schedule", true, "unknown-value", posed(object{"schedule": "daily"})},
	{"date in a list", true, "invalid-date-and-time", posed(object{"iteration_start_dates": []any{"01.02.2026"}})},
	{"501 iterations", true, "too-many-iterations", posed(object{"iteration_count": 501, "iteration_frequency_days": 7})},
	{"negative iteration", true, "negative-number", posed(object{"current_iteration": -1})},
	{"flag 0", true, "invalid-id", posed(object{"linked_flag_id": 0})},
	{"language in words", true, "not-a-language-code", posed(object{"base_language": "english"})},
	{"sampling without a start", true, "missing-sampling-start", posed(object{"response_sampling_limit": 5, "response_sampling_interval": 1})},
	{"sampling without an interval", true, "missing-sampling-interval", posed(object{"response_sampling_limit": 5, "response_sampling_start_date": "2030-01-01T00:00:00Z"})},
	{"iterations without days", false, "never-repeats", posed(object{"iteration_count": 3})},
	{"end before start", false, "end-before-start", posed(object{"start_date": "2026-02-01T00:00:00Z", "end_date": "2026-01-01T00:00:00Z"})},
	{"no question text", true, "missing-question-text", asking(object{"type": "open"})},
	{"no question type", true, "missing-question-type", asking(object{"question": "Why?"})},
	{"empty question text", true, "missing-question-text", asking(open(object{"question": ""}))},
	{"blank question text", false, "missing-question-text", asking(open(object{"question": "  "}))},
	{"kind of question", true, "unknown-value", asking(object{"type": "nps", "question": "How?"})},
	{"scale 6", true, "unknown-value", asking(rated(object{"scale": 6}))},
	{"scale 2.5", true, "unknown-value", asking(rated(object{"scale": 2.5}))},
	{"display", true, "unknown-value", asking(rated(object{"display": "stars"}))},
	{"scale of an open question", false, "unused-attribute", asking(open(object{"scale": 5}))},
	{"choices of an open question", false, "unused-attribute", asking(open(object{"choices": []any{"a", "b"}}))},
	{"no choices", true, "missing-choices", asking(object{"type": "single_choice", "question": "Which?"})},
	{"blank choice", true, "blank-choice", asking(single(object{"choices": []any{"a", ""}}))},
	{"same choice", true, "duplicate-choice", asking(single(object{"choices": []any{"a", "a"}}))},
	{"http link", true, "unsupported-link-scheme", asking(linked("http://example.com"))},
	{"link without a scheme", true, "unsupported-link-scheme", asking(linked("example.com"))},
	{"link without a host", true, "url-without-host", asking(linked("https:///docs"))},
	{"mail without an address", true, "invalid-email-address", asking(linked("mailto:support"))},
	{"format of a description", true, "unknown-value", asking(open(object{"description_content_type": "markdown"}))},
	{"rule without a type", true, "missing-rule-type", asking(open(object{"validation": []any{object{"value": 3}}}))},
	{"kind of rule", true, "unknown-value", asking(open(object{"validation": []any{object{"type": "length", "value": 3}}}))},
	{"rule for no characters", true, "invalid-length", asking(open(object{"validation": []any{object{"type": "min_length", "value": 0}}}))},
	{"rules that contradict", true, "min-length-above-max-length", asking(open(object{"validation": []any{object{"type": "min_length", "value": 5}, object{"type": "max_length", "value": 4}}}))},
	{"attribute through extra", true, "set-through-extra", asking(open(object{"extra": `{"buttonText":"Go"}`}))},
	{"translation into the language itself", true, "translated-into-base-language", asking(open(object{"translations": `{"en":{"question":"Why?"}}`}))},
	{"branching without a target", true, "missing-branching-target", asking(open(object{"branching": object{"type": "specific_question"}}))},
	{"branching beyond the end", true, "target-out-of-range", asking(goingTo(2), open(nil))},
	{"index of another branching", true, "attribute-of-other-branching", asking(open(object{"branching": object{"type": "end", "index": 0}}))},
	{"branching by no response", true, "attribute-of-other-question-type", asking(open(object{"branching": leading(object{"0": "end"})}))},
	{"response that there is not", true, "unknown-response-key", asking(branch(leading(object{"2": "end"})))},
	{"response by its text", true, "unknown-response-key", asking(branch(leading(object{"Yes": "end"})))},
	{"target in words", true, "invalid-branching-target", asking(branch(leading(object{"0": "next"})))},
	{"response beyond the end", true, "target-out-of-range", asking(branch(leading(object{"0": "5"})))},
	{"kind of branching", true, "unknown-value", asking(open(object{"branching": object{"type": "goto", "index": 0}}))},
	{"loop", false, "branches-to-itself", asking(goingTo(0), open(nil))},
	{"question that is skipped", false, "unreachable-question", asking(goingTo(2), open(nil), open(nil))},
	{"last question that leads on", false, "dead-end", asking(open(nil), open(object{"branching": object{"type": "next_question"}}))},
	{"list of conditions", true, "not-a-json-object", posed(object{"conditions": `[]`})},
	{"days in quotes", true, "not-a-number", posed(object{"conditions": `{"seenSurveyWaitPeriodInDays":"30"}`})},
	{"one device", true, "hides-all-surveys", posed(object{"conditions": `{"deviceTypes":"Desktop"}`})},
	{"event without a name", true, "missing-event-name", posed(object{"conditions": `{"events":{"values":[{"event":"signed up"}]}}`})},
	{"variant of no flag", true, "variant-without-flag", posed(object{"conditions": `{"linkedFlagVariant":"test"}`})},
	{"selector of no element", false, "missing-widget-selector", posed(object{"type": "widget", "appearance": `{"widgetType":"selector"}`})},
	{"nothing to ask", false, "runs-without-questions", object{"name": "N", "type": "popover", "status": "running"}},
	{"underscores in a key", false, "unknown-key", posed(object{"conditions": `{"url":"/","url_match_type":"exact"}`})},
	{"British spelling of a key", false, "unknown-key", posed(object{"appearance": `{"backgroundColour":"#fff"}`})},
	{"truth in quotes", true, "not-a-boolean", posed(object{"appearance": `{"displayThankYouMessage":"true"}`})},
	{"everyone", true, "matches-everyone", targeted(`{"rollout_percentage":100}`)},
	{"rollout of 101", true, "rollout-above-100", targeted(`{"rollout_percentage":101}`)},
}

func TestMistakesAreToldByValidation(t *testing.T) {
	t.Parallel()
	reported := 0
	for _, m := range mistakes {
		if m.isReported {
			reported++
		}
		found, _ := plan(t, nil, m.config)
		assert.Equal(t, m.isReported, isFound(found, m.code, true), "%s: whether the plan has an error: %+v", m.name, found)
		assert.Equal(t, !m.isReported, isFound(found, m.code, false), "%s: whether the plan has a warning: %+v", m.name, found)

		validated := check.WithoutState(fieldsOf(t, m.config)).InYAML()
		assert.Equal(t, m.isReported, isFound(validated, m.code, false), "%s: whether validation has a warning: %+v", m.name, validated)
		for _, f := range validated {
			assert.False(t, f.IsError, m.name)
		}
		if len(validated) == 1 {
			assert.Contains(t, validated[0].Text, " Unless the survey already has this value, the plan will fail.")
		}
	}
	assert.Equal(t, 49, reported, "number of mistakes that terraform validate reports without a plan")
	assert.Len(t, mistakes, 61)
}

func isFound(found []check.Finding, code check.Code, isError bool) bool {
	for _, f := range found {
		if f.Code == code && f.IsError == isError {
			return true
		}
	}
	return false
}

// If a survey has many mistakes, validation explains their effect on the plan only once.
func TestValidationExplainsItsWarningsOnce(t *testing.T) {
	t.Parallel()
	found := check.WithoutState(fieldsOf(t, posed(object{"type": "popovr", "schedule": "never", "base_language": "!"}))).InYAML()
	require.Len(t, found, 3)
	for i, f := range found {
		assert.Equal(t, i == 2, strings.HasSuffix(f.Text, " Unless the survey already has the values of all these warnings, the plan will fail."), f.Text)
		assert.NotContains(t, f.Text, "this value", "the text must not refer to only one warning")
	}
}
