package terraform

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFlowFunction(t *testing.T) {
	t.Parallel()

	result, failed := call(t, NewFlowFunction(), arr{
		obj{"type": "single_choice", "question": "Again?", "choices": arr{"Yes", "No"}, "branching": obj{"type": "response_based", "response_values": obj{"0": "end", "1": "reason"}}},
		obj{"type": "open", "question": "Anything else?"},
		obj{"name": "reason", "type": "open", "question": "Why?", "id": types.StringUnknown()},
	})
	require.Empty(t, failed)
	assert.Equal(t, types.StringValue(`flowchart TD
    q0["0 · single choice<br/>Again?"]
    q1["1 · open<br/>Anything else?"]
    q2["2 · open<br/>Why?"]
    q3(["end"])
    q0 -->|"Yes"| q3
    q0 -->|"No"| q2
    q1 --> q2
    q2 --> q3
    classDef unreachable stroke-dasharray: 4 4
    class q1 unreachable
`), result)
}

func TestFlowFunctionUnknown(t *testing.T) {
	t.Parallel()

	byResponse := obj{"type": "response_based", "response_values": obj{"negative": "end"}}
	for name, question := range map[string]obj{
		"text":      {"type": "open", "question": types.StringUnknown()},
		"type":      {"type": types.StringUnknown(), "question": "a"},
		"choices":   {"type": "single_choice", "question": "a", "choices": arr{"b", types.StringUnknown()}},
		"branching": {"type": "open", "question": "a", "branching": obj{"type": "specific_question", "index": types.NumberUnknown()}},
		"scale":     {"type": "rating", "question": "a", "scale": types.NumberUnknown(), "branching": byResponse},
		"optional":  {"type": "rating", "question": "a", "scale": 2, "optional": types.BoolUnknown(), "branching": byResponse},
		// Skipping a choice question that has an open choice follows the open choice's branch.
		"open choice": {
			"type": "single_choice", "question": "a", "choices": arr{"b", "c"}, "optional": true, "has_open_choice": types.BoolUnknown(),
			"branching": obj{"type": "response_based", "response_values": obj{"1": "end"}},
		},
	} {
		result, failed := call(t, NewFlowFunction(), arr{question, obj{"type": "open", "question": "d"}})
		require.Empty(t, failed, name)
		assert.Equal(t, types.StringUnknown(), result, name)
	}

	_, failed := call(t, NewFlowFunction(), arr{obj{"type": "open", "questoin": "a"}})
	assert.Contains(t, failed, "questoin")
}

func TestResponseKeyFunction(t *testing.T) {
	t.Parallel()

	result, failed := call(t, NewResponseKeyFunction(), obj{"type": "open", "question": "a", "id": "0190-a"})
	require.Empty(t, failed)
	assert.Equal(t, types.StringValue("$survey_response_0190-a"), result)

	result, failed = call(t, NewResponseKeyFunction(), obj{"type": "open", "question": "a", "id": types.StringUnknown()})
	require.Empty(t, failed)
	assert.Equal(t, types.StringUnknown(), result)

	_, failed = call(t, NewResponseKeyFunction(), obj{"type": "open", "question": "a"})
	assert.Contains(t, failed, "The question does not have an ID")
	assert.NotRegexp(t, `[.?!]$`, failed, "the error must not end with a period, because Terraform adds one")
}

func TestResponseTemplateFunction(t *testing.T) {
	t.Parallel()

	for id, want := range map[string]string{
		"0190-a":        `{event.properties['$survey_response_0190-a']}`,
		`it's`:          `{event.properties['$survey_response_it\'s']}`,
		"a\\'] + x + [": `{event.properties['$survey_response_a\\\'] + x + [']}`,
		"a\nb":          `{event.properties['$survey_response_a\nb']}`,
	} {
		result, failed := call(t, NewResponseTemplateFunction(), obj{"type": "open", "question": "a", "id": id})
		require.Empty(t, failed)
		assert.Equal(t, types.StringValue(want), result)
	}

	result, failed := call(t, NewResponseTemplateFunction(), obj{"type": "open", "question": "a", "id": types.StringUnknown()})
	require.Empty(t, failed)
	assert.Equal(t, types.StringUnknown(), result)

	_, failed = call(t, NewResponseTemplateFunction(), obj{"type": "open", "question": "a"})
	assert.Contains(t, failed, "The question does not have an ID")
}
