package tfplan

import (
	"encoding/json"
	"fmt"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// markedSurvey returns a survey with values that are marked as sensitive in several ways.
func markedSurvey(text string) (values, marks object) {
	values = object{
		"id": "0190d6a4-0000-7000-8000-000000000001", "name": "NPS", "status": "running", "description": "TOPSECRET",
		"conditions": `{"url":"TOPSECRET-URL","TOPSECRET-KEY":1}`, "responses_limit": json.Number("4711"),
		"questions": []any{
			object{"id": "q1", "type": "rating", "question": text, "scale": json.Number("10"), "choices": []any{"TOPSECRET-1", "TOPSECRET-1", "open"}},
			object{"id": "q2", "type": "open", "question": "not secret"},
		},
	}
	marks = object{
		"id": true, "status": true, "description": true, "conditions": true, "responses_limit": true,
		"questions": []any{object{"id": true, "question": true, "scale": true, "choices": []any{true, true, false}}, object{}},
	}
	return values, marks
}

// Text from a plan or a state never contains sensitive values, and equal values stay equal. IDs, names, and the
// status
// are not hidden.
func TestMarkedValuesAreHidden(t *testing.T) {
	t.Parallel()
	values, marks := markedSurvey("TOPSECRET-2")
	plan := &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{planned("a", tfjson.ActionUpdate, values, values)}}
	plan.ResourceChanges[0].Change.BeforeSensitive, plan.ResourceChanges[0].Change.AfterSensitive = marks, marks
	sensitive, err := json.Marshal(marks)
	require.NoError(t, err)
	state := &tfjson.State{Values: &tfjson.StateValues{RootModule: &tfjson.StateModule{Resources: []*tfjson.StateResource{
		{Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Address: "posthog_survey.a", AttributeValues: values, SensitiveValues: sensitive},
	}}}}

	changes, err := Changes(t.Context(), plan)
	require.NoError(t, err)
	planObjects, err := Objects(t.Context(), plan)
	require.NoError(t, err)
	stateObjects, err := fromState(state, newHider())
	require.NoError(t, err)

	for _, read := range []source.Object{*changes[0].Before, *changes[0].After, planObjects[0], stateObjects[0]} {
		encoded, err := json.Marshal(read)
		require.NoError(t, err)
		for _, printed := range []string{string(encoded), fmt.Sprint(read), fmt.Sprintf("%+v", read), fmt.Sprintf("%#v", read)} {
			assert.NotContains(t, printed, "TOPSECRET")
			assert.NotContains(t, printed, "4711")
		}

		assert.Equal(t, "running", read.Attributes["status"])
		questions, _ := read.Attributes["questions"].([]any)
		question, _ := questions[0].(map[string]any)
		assert.Equal(t, "q1", question["id"])
		choices, _ := question["choices"].([]any)
		assert.Equal(t, choices[0], choices[1])
		assert.NotEqual(t, choices[0], question["question"])
		assert.Equal(t, "open", choices[2])
		assert.Equal(t, values["description"], source.Plain(read.Attributes["description"]))
	}
}

// A list that is marked as a whole keeps its structure, because the flow needs its length.
func TestMarkOfAWholeList(t *testing.T) {
	t.Parallel()
	values, _ := markedSurvey("TOPSECRET-2")
	for _, mark := range []any{object{"questions": true}, true} {
		plan := &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{planned("a", tfjson.ActionUpdate, nil, values)}}
		plan.ResourceChanges[0].Change.AfterSensitive = mark
		changes, err := Changes(t.Context(), plan)
		require.NoError(t, err)

		questions, _ := source.Shown(changes[0].After.Attributes["questions"]).([]any)
		require.Len(t, questions, 2)
		first, _ := questions[0].(map[string]any)
		assert.Equal(t, json.Number("10"), first["scale"])
		assert.Regexp(t, `^\(sensitive value \d+\)$`, first["question"])
	}
}

// If a value becomes sensitive, only the value after the change is marked. The value before is also hidden, and stays
// equal.
func TestValueThatBecameSensitive(t *testing.T) {
	t.Parallel()
	values, marks := markedSurvey("TOPSECRET-2")
	for _, becomes := range []bool{true, false} {
		plan := &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{planned("a", tfjson.ActionUpdate, values, values)}}
		if becomes {
			plan.ResourceChanges[0].Change.AfterSensitive = marks
		} else {
			plan.ResourceChanges[0].Change.BeforeSensitive = marks
		}
		changes, err := Changes(t.Context(), plan)
		require.NoError(t, err)

		for _, name := range []string{"description", "conditions"} {
			assert.Equal(t, changes[0].Before.Attributes[name], changes[0].After.Attributes[name], name)
			assert.True(t, source.IsSecret(changes[0].Before.Attributes[name]), name)
		}
		assert.NotContains(t, fmt.Sprint(*changes[0].Before, *changes[0].After), "TOPSECRET")
	}
}
