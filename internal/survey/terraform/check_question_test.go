package terraform_test

import (
	"maps"
	"strings"
	"testing"
)

func single(keys object) object {
	all := object{"type": "single_choice", "question": "Which?", "choices": []any{"a", "b"}}
	maps.Copy(all, keys)
	return all
}

func rated(keys object) object {
	all := object{"type": "rating", "question": "How?", "scale": 10, "display": "number"}
	maps.Copy(all, keys)
	return all
}

func linked(link string) object { return object{"type": "link", "question": "See", "link": link} }

func TestQuestionChecks(t *testing.T) {
	t.Parallel()

	assertHeard(t, map[string]hearing{
		"scale of an open question":   fault("questions[1].scale", "rating; this one is of type open").asked(open(nil), open(object{"scale": 5})),
		"display of a choice":         fault("questions[0].display", "rating; this one is of type single_choice").asked(single(object{"display": "emoji"})),
		"label of a link":             fault("questions[0].lower_bound_label", "rating").asked(object{"type": "link", "question": "See", "lower_bound_label": "no"}),
		"choices of a rating":         fault("questions[0].choices", "single_choice, multiple_choice").asked(rated(object{"choices": []any{"a", "b"}})),
		"shuffled open question":      fault("questions[0].shuffle_options", "single_choice").asked(open(object{"shuffle_options": true})),
		"open choice of a rating":     fault("questions[0].has_open_choice", "single_choice").asked(rated(object{"has_open_choice": true})),
		"link of an open question":    fault("questions[0].link", "link").asked(open(object{"link": "https://example.com"})),
		"rules of a rating":           fault("questions[0].validation", "open").asked(rated(object{"validation": []any{object{"type": "email"}}})),
		"score of a choice":           fault("questions[0].is_nps_question", "rating").asked(single(object{"is_nps_question": true})),
		"submit button":               fault("questions[0].skip_submit_button", "rating, single_choice, multiple_choice").asked(open(object{"skip_submit_button": true})),
		"nothing, on the wrong kind":  silence.asked(open(object{"choices": []any{}, "shuffle_options": false, "link": "", "lower_bound_label": ""})),
		"all of a rating":             silence.asked(rated(object{"lower_bound_label": "l", "upper_bound_label": "u", "is_nps_question": true, "skip_submit_button": true})),
		"all of a choice":             silence.asked(single(object{"shuffle_options": true, "has_open_choice": true, "skip_submit_button": true})),
		"unknown kind":                fault("questions[0].type", "Known values").asked(object{"type": "grid", "question": "?", "scale": 3}),
		"no type":                     fault("questions[0].type", "must be set").asked(object{"question": "Why?"}),
		"rule without type":           fault("questions[0].validation[0].type", "must be set").asked(open(object{"validation": []any{object{"value": 3}}})),
		"no text":                     fault("questions[0].question", "must be set").asked(open(object{"question": ""})),
		"blank text":                  suspicion("questions[0].question", "blank").asked(open(object{"question": " \n"})),
		"one id twice":                fault("questions[2].id", "questions[0]").asked(open(object{"id": "a"}), open(object{"id": "b"}), open(object{"id": "a"})),
		"no choices":                  fault("questions[0].choices", "single_choice").asked(object{"type": "single_choice", "question": "?"}),
		"empty choices":               fault("questions[0].choices", "multiple_choice").asked(object{"type": "multiple_choice", "question": "?", "choices": []any{}}),
		"one choice":                  suspicion("questions[0].choices", "one element").asked(single(object{"choices": []any{"a"}})),
		"same choice":                 fault("questions[0].choices[2]", `is "a", and so is choices[0]`).asked(single(object{"choices": []any{"a", "b", "a"}})),
		"scale of 4":                  fault("questions[0].scale", "is 4. It must be 2").asked(rated(object{"scale": 4})),
		"scale of a fraction":         fault("questions[0].scale", "is 2.5").asked(rated(object{"scale": 2.5})),
		"no scale":                    suspicion("questions[0].scale", "not set").asked(object{"type": "rating", "question": "?"}),
		"unknown display":             fault("questions[0].display", "number, emoji").asked(rated(object{"display": "stars"})),
		"ten emoji":                   suspicion("questions[0].display", "scale is 10").asked(rated(object{"display": "emoji"})),
		"thumbs as numbers":           suspicion("questions[0].display", "thumbs").asked(rated(object{"scale": 2})),
		"thumbs":                      silence.asked(rated(object{"scale": 2, "display": "emoji"})),
		"score of five":               suspicion("questions[0].is_nps_question", "scale is 5").asked(rated(object{"scale": 5, "is_nps_question": true})),
		"capitals in a scheme":        silence.asked(linked("HTTPS://example.com/a?b#c")),
		"mail":                        silence.asked(linked("mailto:some.one+x@example.com")),
		"link without an address":     silence.asked(object{"type": "link", "question": "See"}),
		"no slashes":                  fault("questions[0].link", "name a host").asked(linked("https:example.com")),
		"path only":                   fault("questions[0].link", "name a host").asked(linked("https:///path")),
		"mail to nobody":              fault("questions[0].link", "e-mail address").asked(linked("mailto:@example.com")),
		"number for the rule email":   suspicion("questions[0].validation[0].value", "no meaning").asked(open(object{"validation": []any{object{"type": "email", "value": 3}}})),
		"rule without a number":       fault("questions[0].validation[0].value", "1 or more").asked(open(object{"validation": []any{object{"type": "max_length"}}})),
		"misspelt in extra":           suspicion("questions[0].extra.button_text", "buttonText").asked(open(object{"extra": `{"button_text":"Go"}`})),
		"key of a newer service":      silence.asked(open(object{"extra": `{"originalQuestionIndex":3,"since":null,"description":null}`})),
		"branching with a key more":   silence.asked(open(object{"extra": `{"branching":{"type":"end","since":1}}`})),
		"translated choices":          silence.asked(single(object{"translations": `{"de":{"choices":["x","y"],"question":"Welche?"}}`})),
		"translated choices, no list": fault("questions[0].translations.de.choices", "must be a list").asked(single(object{"translations": `{"de":{"choices":"x"}}`})),
	})
}

func leading(responses object) object {
	return object{"type": "response_based", "response_values": responses}
}

func goingTo(index any) object {
	return open(object{"branching": object{"type": "specific_question", "index": index}})
}

func TestBranchingChecks(t *testing.T) {
	t.Parallel()

	const values = "questions[0].branching.response_values"
	next := open(object{"question": "Next?"})

	assertHeard(t, map[string]hearing{
		"no target":             fault("questions[0].branching.index", "must be set").asked(open(object{"branching": object{"type": "specific_question"}})),
		"target of the end":     fault("questions[0].branching.index", `this one is "end"`).asked(open(object{"branching": object{"type": "end", "index": 0}})),
		"out of range":          fault("questions[0].branching.index", "is 2, but the questions are 0 to 1").asked(goingTo(2), next),
		"the only question":     fault("questions[0].branching.index", "only question is 0").asked(goingTo(1)),
		"before the first":      fault("questions[0].branching.index", "is -1").asked(goingTo(-1), next),
		"way":                   fault("questions[0].branching.type", "Known values").asked(open(object{"branching": object{"type": "jump"}})),
		"responses of the next": fault(values, `this one is "next_question"`).asked(single(object{"branching": object{"type": "next_question", "response_values": object{"0": "end"}}})),
		"by an open answer":     fault("questions[0].branching.type", "type open").asked(open(object{"branching": leading(object{"0": "end"})})),
		"by several choices":    fault("questions[0].branching.type", "type multiple_choice").asked(object{"type": "multiple_choice", "question": "?", "choices": []any{"a", "b"}, "branching": leading(object{"0": "end"})}),
		"nothing":               suspicion(values, "every response").asked(single(object{"branching": leading(nil)})),
		"choice out of range":   fault(values+`["2"]`, "0, 1.").asked(single(object{"branching": leading(object{"2": "end"})})),
		"choice by its text":    fault(values+`["a"]`, "0, 1.").asked(single(object{"branching": leading(object{"a": "end"})})),
		"bucket of another":     fault(values+`["promoters"]`, "negative, neutral, positive").asked(rated(object{"scale": 5, "branching": leading(object{"promoters": "end"})})),
		"thumbs, neutral":       fault(values+`["neutral"]`, "negative, positive").asked(rated(object{"scale": 2, "display": "emoji", "branching": leading(object{"neutral": "end"})})),
		"target word":           fault(values+`["0"]`, `is "next"`).asked(single(object{"branching": leading(object{"0": "next"})}), next),
		"target in quotes":      fault(values+`["0"]`, `"\"1\""`).asked(single(object{"branching": leading(object{"0": `"1"`})}), next),
		"target fraction":       fault(values+`["0"]`, "is \"1.0\"").asked(single(object{"branching": leading(object{"0": "1.0"})}), next),
		"target below":          fault(values+`["0"]`, "is \"-1\"").asked(single(object{"branching": leading(object{"0": "-1"})}), next),
		"target out of range":   fault(values+`["1"]`, "is 4, but").asked(single(object{"branching": leading(object{"1": "4"})}), next),
		"jumped over":           suspicion("questions[1]", "never shown").asked(goingTo(2), next, next),
		"back":                  suspicion("questions[0]", "loop with questions[1]. No answer").asked(next, goingTo(0)),
		"back for some":         suspicion("questions[0]", "Some answers lead on").asked(next, single(object{"branching": leading(object{"0": "0", "1": "end"})})),
		"itself":                suspicion("questions[1]", "after its own answer").asked(next, goingTo(1)),
		"fork": silence.asked(rated(object{"branching": leading(object{"detractors": "1", "passives": "2", "promoters": "end"})}),
			open(object{"branching": object{"type": "end"}}), open(nil)),
		"skipped to the next": silence.asked(single(object{"optional": true, "branching": leading(object{"0": "2", "1": "end"})}), next, next),
		"shuffled": fault("appearance.shuffleQuestions", "cannot branch").of(with(object{
			"appearance": `{"shuffleQuestions":true}`, "questions": []any{open(object{"branching": object{"type": "next_question"}}), next},
		})),
		"shuffled without": silence.of(with(object{"appearance": `{"shuffleQuestions":true}`, "questions": []any{next, next}})),
	})
}

func when(conditions string) object  { return with(object{"conditions": conditions}) }
func looks(appearance string) object { return with(object{"appearance": appearance}) }

func TestJSONChecks(t *testing.T) {
	t.Parallel()
	assertHeard(t, map[string]hearing{
		"match type":        fault("conditions.urlMatchType", "Known values: regex").of(when(`{"urlMatchType":"contains"}`)),
		"url":               fault("conditions.url", "must be a text").of(when(`{"url":["/a"]}`)),
		"url, a number":     suspicion("conditions.url", "in quotes").of(when(`{"url":5}`)),
		"device":            fault("conditions.deviceTypes[1]", `is "Phone"`).of(when(`{"deviceTypes":["Desktop","Phone"]}`)),
		"devices":           fault("conditions.deviceTypes", "must be a list").of(when(`{"deviceTypes":"Desktop"}`)),
		"days":              fault("conditions.seenSurveyWaitPeriodInDays", "whole number").of(when(`{"seenSurveyWaitPeriodInDays":1.5}`)),
		"days, a text":      fault("conditions.seenSurveyWaitPeriodInDays", "without quotes").of(when(`{"seenSurveyWaitPeriodInDays":"30"}`)),
		"days, negative":    fault("conditions.seenSurveyWaitPeriodInDays", "0 or more").of(when(`{"seenSurveyWaitPeriodInDays":-1}`)),
		"event":             fault("conditions.events.values[0].name", "known by its name").of(when(`{"events":{"values":[{}]}}`)),
		"event filters":     fault("conditions.events.values[0].propertyFilters.plan.values", "must be a list").of(when(`{"events":{"values":[{"name":"e","propertyFilters":{"plan":{"values":"a","operator":"exact"}}}]}}`)),
		"repeated":          fault("conditions.events.repeatedActivation", "true or false").of(when(`{"events":{"repeatedActivation":"yes","values":[]}}`)),
		"action":            fault("conditions.actions.values[0].id", "by its id").of(when(`{"actions":{"values":[{"name":"clicked"}]}}`)),
		"action id":         fault("conditions.actions.values[0].id", "must be a number").of(when(`{"actions":{"values":[{"id":"7"}]}}`)),
		"expression":        suspicion("conditions.url", "missing closing").of(when(`{"url":"(a","urlMatchType":"regex"}`)),
		"expression, ahead": silence.of(when(`{"url":"^(?!a).*$","urlMatchType":"regex"}`)),
		"no expression":     silence.of(when(`{"url":"(a","urlMatchType":"icontains"}`)),
		"all of it":         silence.of(when(`{"url":"/a","urlMatchType":"not_regex","selector":"#a","deviceTypes":["Desktop","Mobile","Tablet"],"deviceTypesMatchType":"is_not","seenSurveyWaitPeriodInDays":0,"events":{"repeatedActivation":true,"values":[{"name":"e","propertyFilters":{"p":{"values":["1"],"operator":"gt"}}}]},"actions":{"values":[{"id":1,"name":"a"}]}}`)),
		"Terraform's style": suspicion("conditions.url_match_type", "Did you mean conditions.urlMatchType?").of(when(`{"url":"/","url_match_type":"exact"}`)),
		"capitals":          suspicion("conditions.URL", "conditions.url?").of(when(`{"URL":"/"}`)),
		"misspelt, deep":    suspicion("conditions.events.values[0].property_filters", "values[0].propertyFilters?").of(when(`{"events":{"values":[{"name":"e","property_filters":{}}]}}`)),
		"newer key":         silence.of(when(`{"urls":["/a"],"url":"/","audience":{"x":1}}`)),
		"null":              silence.of(when(`null`)),

		"position":         fault("appearance.position", "next_to_trigger").of(looks(`{"position":"bottom"}`)),
		"widget":           fault("appearance.widgetType", "button, tab, selector").of(looks(`{"widgetType":"bubble"}`)),
		"flag":             fault("appearance.displayThankYouMessage", "true or false").of(looks(`{"displayThankYouMessage":"true"}`)),
		"delay":            fault("appearance.surveyPopupDelaySeconds", "number").of(looks(`{"surveyPopupDelaySeconds":"5"}`)),
		"delay, fraction":  silence.of(looks(`{"surveyPopupDelaySeconds":0.5}`)),
		"z-index":          suspicion("appearance.zIndex", "in quotes").of(looks(`{"zIndex":2147482647}`)),
		"British spelling": suspicion("appearance.backgroundColour", "backgroundColor?").of(looks(`{"backgroundColour":"#fff"}`)),
		"both spellings":   silence.of(looks(`{"widgetColour":"#fff","widgetColor":"#fff"}`)),
		"far from all":     silence.of(looks(`{"n":1,"theme":"dark","backgroundImage":"x"}`)),

		"percentage":      fault("targeting_flag_filters.groups[0].rollout_percentage", "0 to 100").of(filters(`{"rollout_percentage":101}`)),
		"groups":          fault("targeting_flag_filters.groups", "must be a list").of(with(object{"targeting_flag_filters": `{"groups":{}}`})),
		"rollout":         suspicion("targeting_flag_filters.groups[0].rolloutPercentage", "rollout_percentage?").of(filters(`{"rolloutPercentage":5,"properties":[{"key":"a","type":"person","value":"b"}]}`)),
		"untyped":         fault("targeting_flag_filters.groups[0].properties[0].type", "person, cohort or flag").of(filters(`{"properties":[{"key":"a","value":"b"}]}`)),
		"of companies":    silence.of(with(object{"targeting_flag_filters": `{"aggregation_group_type_index":0,"groups":[{"properties":[{"key":"a","type":"group","group_type_index":0,"value":"b"}]}]}`})),
		"defined variant": silence.of(with(object{"targeting_flag_filters": `{"multivariate":{"variants":[{"key":"a","rollout_percentage":100}]},"groups":[{"variant":"a","rollout_percentage":5}]}`})),
		"no filters":      silence.of(with(object{"targeting_flag_filters": `{}`})),

		"translation":         fault("translations.de", "must be an object").of(with(object{"translations": `{"de":"Danke"}`})),
		"translated number":   fault("translations.de.thankYouMessageHeader", "must be a text").of(with(object{"translations": `{"de":{"thankYouMessageHeader":1}}`})),
		"translated misspelt": suspicion("translations.de.thankYouMessageHeadr", "thankYouMessageHeader").of(with(object{"translations": `{"de":{"thankYouMessageHeadr":"Danke"}}`})),
		"translations":        silence.of(with(object{"translations": `{"de":{"thankYouMessageHeader":"Danke"},"pt_BR":{},"zh-Hant":{}}`})),
		"base language":       silence.of(with(object{"base_language": "pt_BR"})),
		"blank language":      silence.of(with(object{"base_language": ""})),
		"form":                silence.of(with(object{"form_content": `{"type":["doc"]}`})),
	})
}

func TestSurveyChecks(t *testing.T) {
	t.Parallel()
	assertHeard(t, map[string]hearing{
		"no flag":              fault("linked_flag_id", "Ids count from 1").of(with(object{"linked_flag_id": 0})),
		"no insight":           fault("linked_insight_id", "Ids count from 1").of(with(object{"linked_insight_id": 0})),
		"no targeting flag":    fault("targeting_flag_id", "Ids count from 1").of(with(object{"targeting_flag_id": 0})),
		"backwards":            suspicion("end_date", "start_date is").of(with(object{"start_date": "2026-02-01T00:00:00+02:00", "end_date": "2026-01-31T21:59:59Z"})),
		"count alone":          suspicion("iteration_count", "iteration_frequency_days").of(with(object{"iteration_count": 3})),
		"frequency alone":      suspicion("iteration_frequency_days", "iteration_count").of(with(object{"iteration_frequency_days": 3})),
		"recurring, never":     suspicion("schedule", "not set").of(with(object{"schedule": "recurring"})),
		"recurring":            silence.of(with(object{"schedule": "recurring", "iteration_count": 500, "iteration_frequency_days": 7})),
		"sampling today":       silence.of(with(object{"response_sampling_start_date": "2026-01-02T00:00:00Z", "response_sampling_interval": 1, "response_sampling_limit": 5})),
		"sampling, other zone": fault("response_sampling_start_date", "today is 2026-01-02 (UTC)").of(with(object{"response_sampling_start_date": "2026-01-02T01:00:00+02:00"})),
		"sampling, no limit":   silence.of(with(object{"response_sampling_limit": 0})),
		"long name":            silence.of(with(object{"name": strings.Repeat("ü", 400)})),
		"external":             silence.of(external(object{"conditions": `{"url":null,"actions":{"values":[]},"events":null}`, "appearance": `{}`})),
	})
}
