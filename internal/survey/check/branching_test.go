package check_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

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

	assertFound(t, map[string]finding{
		"no target":             fault("missing-branching-target", "questions[0].branching.index", "must be set").asked(open(object{"branching": object{"type": "specific_question"}})),
		"target of the end":     fault("attribute-of-other-branching", "questions[0].branching.index", `but the type is "end"`).asked(open(object{"branching": object{"type": "end", "index": 0}})),
		"out of range":          fault("target-out-of-range", "questions[0].branching.index", "is 2, but the questions are at positions 0 to 1").asked(goingTo(2), next),
		"the only question":     fault("target-out-of-range", "questions[0].branching.index", "only question is at position 0").asked(goingTo(1)),
		"before the first":      fault("target-out-of-range", "questions[0].branching.index", "is -1").asked(goingTo(-1), next),
		"way":                   fault("unknown-value", "questions[0].branching.type", "Known values").asked(open(object{"branching": object{"type": "jump"}})),
		"responses of the next": fault("attribute-of-other-branching", values, `but the type is "next_question"`).asked(single(object{"branching": object{"type": "next_question", "response_values": object{"0": "end"}}})),
		"by an open answer":     fault("attribute-of-other-question-type", "questions[0].branching.type", "type open").asked(open(object{"branching": leading(object{"0": "end"})})),
		"by several choices":    fault("attribute-of-other-question-type", "questions[0].branching.type", "type multiple_choice").asked(object{"type": "multiple_choice", "question": "?", "choices": []any{"a", "b"}, "branching": leading(object{"0": "end"})}),
		"nothing":               suspicion("empty-response-values", values, "every response").asked(single(object{"branching": leading(nil)})),
		"choice out of range":   fault("unknown-response-key", values+`["2"]`, "0, 1.").asked(single(object{"branching": leading(object{"2": "end"})})),
		"choice by its text":    fault("unknown-response-key", values+`["a"]`, "0, 1.").asked(single(object{"branching": leading(object{"a": "end"})})),
		"bucket of another":     fault("unknown-response-key", values+`["promoters"]`, "negative, neutral, positive").asked(rated(object{"scale": 5, "branching": leading(object{"promoters": "end"})})),
		"thumbs, neutral":       fault("unknown-response-key", values+`["neutral"]`, "negative, positive").asked(rated(object{"scale": 2, "display": "emoji", "branching": leading(object{"neutral": "end"})})),
		"target word":           fault("invalid-branching-target", values+`["0"]`, `is "next"`).asked(single(object{"branching": leading(object{"0": "next"})}), next),
		"target in quotes":      fault("invalid-branching-target", values+`["0"]`, `"\"1\""`).asked(single(object{"branching": leading(object{"0": `"1"`})}), next),
		"target fraction":       fault("invalid-branching-target", values+`["0"]`, "is \"1.0\"").asked(single(object{"branching": leading(object{"0": "1.0"})}), next),
		"target below":          fault("invalid-branching-target", values+`["0"]`, "is \"-1\"").asked(single(object{"branching": leading(object{"0": "-1"})}), next),
		"target out of range":   fault("target-out-of-range", values+`["1"]`, "is 4, but").asked(single(object{"branching": leading(object{"1": "4"})}), next),
		"jumped over":           suspicion("unreachable-question", "questions[1]", "never shown").asked(goingTo(2), next, next),
		"back":                  suspicion("branching-loop", "questions[0]", "loop with questions[1]. No answer").asked(next, goingTo(0)),
		"back for some":         suspicion("branching-loop", "questions[0]", "Some answers leave the loop").asked(next, single(object{"branching": leading(object{"0": "0", "1": "end"})})),
		"itself":                suspicion("branches-to-itself", "questions[1]", "again after it is answered").asked(next, goingTo(1)),
		"fork": silence.asked(rated(object{"branching": leading(object{"detractors": "1", "passives": "2", "promoters": "end"})}),
			open(object{"branching": object{"type": "end"}}), open(nil)),
		"skipped to the next": silence.asked(single(object{"optional": true, "branching": leading(object{"0": "2", "1": "end"})}), next, next),
		"shuffled": fault("shuffled-branching", "appearance.shuffleQuestions", "requires a fixed order").of(with(object{
			"appearance": `{"shuffleQuestions":true}`, "questions": []any{open(object{"branching": object{"type": "next_question"}}), next},
		})),
		"shuffled without": silence.of(with(object{"appearance": `{"shuffleQuestions":true}`, "questions": []any{next, next}})),
	})
}

// If branching is written in a form that people often try first, the finding shows the valid form in HCL or JSON.
func TestBranchingHints(t *testing.T) {
	t.Parallel()
	for want, config := range map[string]object{
		`The key of this choice is its position. Use "1".`:                     asking(branch(leading(object{" B": "end"})), open(nil)),
		`Ratings are grouped`:                                                  asking(rated(object{"branching": leading(object{"9": "end"})})),
		"Set the name of the question, and refer to it with question: NAME.":   asking(branch(leading(object{"0": "thanks"})), open(nil)),
		"from 0. Set the name of the question, and refer to it with question:": asking(open(object{"branching": object{"type": "specific_question"}}), open(nil)),
	} {
		found, _ := plan(t, nil, config)
		if assert.NotEmpty(t, found, want) {
			assert.Contains(t, found[0].Text, want)
		}
	}

	var diags diag.Diagnostics
	check.HandWritten(fieldsOf(t, asking(branch(leading(object{"0": "thanks"})), open(nil)))).Report(types.StringNull(), &diags)
	assert.Contains(t, diags.Errors()[0].Detail(), "To refer to a question by name, wrap the list: questions = provider::posthog::questions([ ... ]).")
}
