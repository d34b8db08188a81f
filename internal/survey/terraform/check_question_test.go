package terraform_test

import (
	"maps"
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
		"mail with a subject":         suspicion("questions[0].link", "one plain address").asked(linked("mailto:someone@example.com?subject=two words")).andRefused(),
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
