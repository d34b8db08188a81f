package check_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

func TestQuestionChecks(t *testing.T) {
	t.Parallel()
	assertFound(t, map[string]finding{
		"scale of an open question":   suspicion("unused-attribute", "questions[1].scale", "rating. This question has the type open").asked(open(nil), open(object{"scale": 5})),
		"display of a choice":         suspicion("unused-attribute", "questions[0].display", "rating. This question has the type single_choice").asked(single(object{"display": "emoji"})),
		"label of a link":             suspicion("unused-attribute", "questions[0].lower_bound_label", "rating").asked(object{"type": "link", "question": "See", "lower_bound_label": "no"}),
		"choices of a rating":         suspicion("unused-attribute", "questions[0].choices", "single_choice, multiple_choice").asked(rated(object{"choices": []any{"a", "b"}})),
		"shuffled open question":      suspicion("unused-attribute", "questions[0].shuffle_options", "single_choice").asked(open(object{"shuffle_options": true})),
		"open choice of a rating":     suspicion("unused-attribute", "questions[0].has_open_choice", "single_choice").asked(rated(object{"has_open_choice": true})),
		"link of an open question":    suspicion("unused-attribute", "questions[0].link", "link").asked(open(object{"link": "https://example.com"})),
		"rules of a rating":           suspicion("unused-attribute", "questions[0].validation", "open").asked(rated(object{"validation": []any{object{"type": "email"}}})),
		"score of a choice":           suspicion("unused-attribute", "questions[0].is_nps_question", "rating").asked(single(object{"is_nps_question": true})),
		"submit button":               suspicion("unused-attribute", "questions[0].skip_submit_button", "rating, single_choice, multiple_choice").asked(open(object{"skip_submit_button": true})),
		"nothing, on the wrong kind":  silence.asked(open(object{"choices": []any{}, "shuffle_options": false, "link": "", "lower_bound_label": ""})),
		"all of a rating":             silence.asked(rated(object{"lower_bound_label": "l", "upper_bound_label": "u", "is_nps_question": true, "skip_submit_button": true})),
		"all of a choice":             silence.asked(single(object{"shuffle_options": true, "has_open_choice": true, "skip_submit_button": true})),
		"unknown kind":                fault("unknown-value", "questions[0].type", "Known values").asked(object{"type": "grid", "question": "?", "scale": 3}),
		"no type":                     fault("missing-question-type", "questions[0].type", "must be set").asked(object{"question": "Why?"}),
		"rule without type":           fault("missing-rule-type", "questions[0].validation[0].type", "must be set").asked(open(object{"validation": []any{object{"value": 3}}})),
		"no text":                     fault("missing-question-text", "questions[0].question", "must be set").asked(open(object{"question": ""})),
		"blank text":                  suspicion("missing-question-text", "questions[0].question", "only spaces").asked(open(object{"question": " \n"})),
		"one id twice":                fault("duplicate-question-id", "questions[2].id", "questions[0]").asked(open(object{"id": "a"}), open(object{"id": "b"}), open(object{"id": "a"})),
		"no choices":                  fault("missing-choices", "questions[0].choices", "single_choice").asked(object{"type": "single_choice", "question": "?"}),
		"empty choices":               fault("missing-choices", "questions[0].choices", "multiple_choice").asked(object{"type": "multiple_choice", "question": "?", "choices": []any{}}),
		"one choice":                  suspicion("single-choice", "questions[0].choices", "one element").asked(single(object{"choices": []any{"a"}})),
		"same choice":                 fault("duplicate-choice", "questions[0].choices[2]", `is "a", which is also choices[0]`).asked(single(object{"choices": []any{"a", "b", "a"}})),
		"scale of 4":                  fault("unknown-value", "questions[0].scale", "is 4. Use 2").asked(rated(object{"scale": 4})),
		"scale of a fraction":         fault("unknown-value", "questions[0].scale", "is 2.5").asked(rated(object{"scale": 2.5})),
		"no scale":                    suspicion("missing-scale", "questions[0].scale", "not set").asked(object{"type": "rating", "question": "?"}),
		"unknown display":             fault("unknown-value", "questions[0].display", "number, emoji").asked(rated(object{"display": "stars"})),
		"ten emoji":                   suspicion("emoji-on-long-scale", "questions[0].display", "scale is 10").asked(rated(object{"display": "emoji"})),
		"thumbs as numbers":           suspicion("thumbs-as-numbers", "questions[0].display", "thumbs").asked(rated(object{"scale": 2})),
		"thumbs":                      silence.asked(rated(object{"scale": 2, "display": "emoji"})),
		"score of five":               suspicion("nps-without-scale-10", "questions[0].is_nps_question", "scale is 5").asked(rated(object{"scale": 5, "is_nps_question": true})),
		"capitals in a scheme":        silence.asked(linked("HTTPS://example.com/a?b#c")),
		"mail":                        silence.asked(linked("mailto:some.one+x@example.com")),
		"link without an address":     silence.asked(object{"type": "link", "question": "See"}),
		"no slashes":                  fault("url-without-host", "questions[0].link", "contain a host").asked(linked("https:example.com")),
		"path only":                   fault("url-without-host", "questions[0].link", "contain a host").asked(linked("https:///path")),
		"mail to nobody":              fault("invalid-email-address", "questions[0].link", "email address").asked(linked("mailto:@example.com")),
		"number for the rule email":   suspicion("unused-value", "questions[0].validation[0].value", "has no effect").asked(open(object{"validation": []any{object{"type": "email", "value": 3}}})),
		"rule without a number":       fault("invalid-length", "questions[0].validation[0].value", "1 or more").asked(open(object{"validation": []any{object{"type": "max_length"}}})),
		"misspelt in extra":           suspicion("unknown-key", "questions[0].extra.button_text", "buttonText").asked(open(object{"extra": `{"button_text":"Go"}`})),
		"key of a newer service":      silence.asked(open(object{"extra": `{"originalQuestionIndex":3,"since":null,"description":null}`})),
		"branching with a key more":   silence.asked(open(object{"extra": `{"branching":{"type":"end","since":1}}`})),
		"translated choices":          silence.asked(single(object{"translations": `{"de":{"choices":["x","y"],"question":"Welche?"}}`})),
		"translated question, null":   fault("not-a-string", "questions[0].translations.de.question", "is null. It must be a string").asked(single(object{"translations": `{"de":{"question":null}}`})),
		"translated link, null":       silence.asked(single(object{"translations": `{"de":{"link":null}}`})),
		"translated choices, null":    fault("not-a-list", "questions[0].translations.de.choices", "must be a list").asked(single(object{"translations": `{"de":{"choices":null}}`})),
		"translated choices, no list": fault("not-a-list", "questions[0].translations.de.choices", "must be a list").asked(single(object{"translations": `{"de":{"choices":"x"}}`})),

		"translated choices, fewer":  fault("translated-choices", "questions[0].translations.de.choices", "has 1 items, but the question has 2 choices").asked(single(object{"translations": `{"de":{"choices":["x"]}}`})),
		"translated choices of none": silence.asked(single(object{"choices": unknown{}, "translations": `{"de":{"choices":["x"]}}`})),
		"open bracket":               fault("invalid-host", "questions[0].link", "bracket").asked(linked("https://[::1/x")),
		"brackets":                   silence.asked(linked("https://[::1]/x")),
		"blanks in front":            silence.asked(linked(" \n https://example.com")),
		"http":                       fault("unsupported-link-scheme", "questions[0].link", "https:// or mailto:").asked(linked("http://example.com")),
		"mail to a host":             fault("invalid-email-address", "questions[0].link", "email").asked(linked("mailto:someone@")),
		"mail with a blank":          fault("invalid-email-address", "questions[0].link", "email").asked(linked("mailto:some one@example.com")),
		"mail with a subject":        silence.asked(linked("mailto:someone@example.com?subject=a b")),
		"lengths that are equal":     silence.asked(open(object{"validation": []any{object{"type": "min_length", "value": 5}, object{"type": "max_length", "value": 5}}})),
		"length of 1":                silence.asked(open(object{"validation": []any{object{"type": "min_length", "value": 1}}})),
		"emoji on 5":                 silence.asked(rated(object{"display": "emoji", "scale": 5})),
		"emoji on 7":                 suspicion("emoji-on-long-scale", "questions[0].display", "scale is 7").asked(rated(object{"display": "emoji", "scale": 7})),
		"no score of five":           silence.asked(rated(object{"scale": 5, "is_nps_question": false})),
		"set and in extra":           fault("set-through-extra", "questions[0].extra.buttonText", "Set the attribute").asked(open(object{"button_text": "Go", "extra": `{"buttonText":null}`})),
		"null in extra":              silence.asked(open(object{"extra": `{"buttonText":null}`})),
		"list in extra":              fault("set-through-extra", "questions[0].extra.choices", "Set the attribute").asked(open(object{"extra": `{"choices":"a"}`})),
		"format of a description":    fault("unknown-value", "questions[0].description_content_type", "text, html").asked(open(object{"description_content_type": "markdown"})),
	})
}

func TestMissingElements(t *testing.T) {
	t.Parallel()
	for at, c := range map[string]struct {
		questions []any
		says      string
	}{
		"questions[1]":                                {[]any{open(nil), nil}, "must be a question"},
		"questions[0].choices[1]":                     {[]any{single(object{"choices": []any{"a", nil}})}, "must be a string"},
		"questions[0].validation[0]":                  {[]any{open(object{"validation": []any{nil}})}, "must be a rule"},
		`questions[0].branching.response_values["0"]`: {[]any{single(object{"branching": leading(object{"0": nil})})}, "must be a target. To go to the next question, remove the key"},
	} {
		var found check.Findings
		assert.False(t, check.MissingValues(fieldsOf(t, asking(c.questions...)).Questions, &found), at)
		if assert.Len(t, found, 1, at) {
			one := found.InYAML()[0]
			assert.Equal(t, check.Finding{Code: "missing-value", IsError: true, Path: at, Text: one.Text}, one)
			assert.Contains(t, one.Text, c.says)
		}
	}
	var found check.Findings
	assert.True(t, check.MissingValues(fieldsOf(t, asking(single(object{"validation": []any{}}))).Questions, &found))
}

// A new survey's values must be ones that the checks know.
func TestKnownValues(t *testing.T) {
	t.Parallel()
	known := check.KnownValues()
	for at, value := range map[string]string{
		"type": "popover", "schedule": "recurring", "response_sampling_interval_type": "week", "status": "completed", "questions.type": "multiple_choice",
		"questions.description_content_type": "html", "questions.display": "emoji", "questions.branching.type": "response_based",
	} {
		assert.Contains(t, known[at], value, at)
	}
	assert.Len(t, known, 8)
}
