package tfplan

import (
	"encoding/json"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

const wire = `{"id": "0190d6a4-0000-7000-8000-000000000001", "name": "NPS", "type": "popover", "archived": false,
"conditions": {"url": "x"}, "appearance": null,
"questions": [{"id": "q1", "type": "rating", "question": "How likely?", "display": "number", "scale": 10, "translations": {"de": {"question": "Wie?"}}}]}`

// A survey from PostHog and the same survey from Terraform are equal objects.
func TestServiceAndTerraformAgree(t *testing.T) {
	t.Parallel()
	var answer api.Survey
	require.NoError(t, json.Unmarshal([]byte(wire), &answer))
	live, err := source.FromSurvey(t.Context(), answer, "1")
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"url": "x"}, live.Attributes["conditions"])
	assert.NotContains(t, live.Attributes, "appearance")

	resource := map[string]any{
		"id": "0190d6a4-0000-7000-8000-000000000001", "project_id": "1", "name": "NPS", "type": "popover", "archived": false,
		"status": "draft", "conditions": `{ "url": "x" }`, "appearance": nil, "deletion_policy": "delete",
		"questions": []any{map[string]any{
			"id": "q1", "type": "rating", "question": "How likely?", "display": "number", "scale": float64(10), "choices": nil,
			"translations": `{"de":{"question":"Wie?"}}`,
		}},
	}
	state := &tfjson.State{Values: &tfjson.StateValues{RootModule: &tfjson.StateModule{ChildModules: []*tfjson.StateModule{{
		Resources: []*tfjson.StateResource{
			{Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Address: "module.a.posthog_survey.nps", AttributeValues: resource},
			{Mode: tfjson.ManagedResourceMode, Type: "null_resource", Address: "null_resource.x"},
			{Mode: tfjson.DataResourceMode, Type: "posthog_survey", Address: "data.posthog_survey.x"},
		},
	}}}}}
	objects, err := fromState(state, newHider())
	require.NoError(t, err)
	require.Len(t, objects, 1)
	assert.Equal(t, "module.a.posthog_survey.nps", objects[0].Address)
	objects[0].Address = ""
	assert.Contains(t, live.Unknown, "description", "a field that the response omits must be unknown")
	assert.NotContains(t, live.Unknown, "appearance", "a field that is null in the response must not be unknown")
	live.SurveyResponse, live.Unknown = nil, nil
	assert.Equal(t, live, objects[0])
}

func TestNamesThatAreKnownAfterApply(t *testing.T) {
	t.Parallel()
	var changes []*tfjson.ResourceChange
	for _, address := range []string{"posthog_survey.s[0]", "posthog_survey.s[1]"} {
		changes = append(changes, &tfjson.ResourceChange{
			Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Address: address,
			Change: &tfjson.Change{Actions: tfjson.Actions{tfjson.ActionCreate}, After: map[string]any{"type": "popover"}, AfterUnknown: map[string]any{"name": true}},
		})
	}

	objects, err := Objects(t.Context(), &tfjson.Plan{ResourceChanges: changes})
	require.NoError(t, err)
	require.Len(t, objects, 2)
	assert.Equal(t, "posthog_survey.s[0]", objects[0].Name)
	assert.Equal(t, "posthog_survey.s[1]", objects[1].Name)
}

func TestPlanWithoutWhatItDeletes(t *testing.T) {
	t.Parallel()
	change := func(address string, action tfjson.Action, after any) *tfjson.ResourceChange {
		return &tfjson.ResourceChange{
			Mode: tfjson.ManagedResourceMode, Type: "posthog_pipeline_import_app", Address: address,
			Change: &tfjson.Change{Actions: tfjson.Actions{action}, After: after, AfterUnknown: map[string]any{"id": true, "name": false}},
		}
	}
	objects, err := Objects(t.Context(), &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{
		change("posthog_pipeline_import_app.gone", tfjson.ActionDelete, nil),
		change("posthog_pipeline_import_app.new", tfjson.ActionCreate, map[string]any{"name": "GeoIP", "organization_id": "o", "is_global": false}),
		change("posthog_pipeline_import_app.kept", tfjson.ActionNoop, map[string]any{"id": json.Number("7"), "name": "Kept"}),
	}})
	require.NoError(t, err)
	require.Len(t, objects, 2)
	assert.Equal(t, source.Object{Kind: source.App, ID: "7", Name: "Kept", Address: "posthog_pipeline_import_app.kept", Unknown: []string{"id"},
		Attributes: map[string]any{"id": json.Number("7"), "name": "Kept"}}, objects[0])
	assert.Equal(t, source.Object{Kind: source.App, Name: "GeoIP", ParentID: "o", Address: "posthog_pipeline_import_app.new", Unknown: []string{"id"},
		Attributes: map[string]any{"name": "GeoIP", "organization_id": "o", "is_global": false}}, objects[1])
}
