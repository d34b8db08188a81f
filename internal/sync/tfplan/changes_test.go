package tfplan

import (
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/terraform"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

type object = map[string]any

// planned returns a change of a survey in a plan.
func planned(name string, action tfjson.Action, before, after object) *tfjson.ResourceChange {
	change := &tfjson.Change{Actions: tfjson.Actions{action}, AfterUnknown: object{"questions": []any{object{"id": true}}}}
	if before != nil {
		change.Before = before
	}
	if after != nil {
		change.After = after
	}
	return &tfjson.ResourceChange{Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Address: "posthog_survey." + name, Change: change}
}

// Destroying a survey follows the policy in the state.
func TestChangesHaveThePolicyOfTheState(t *testing.T) {
	t.Parallel()

	changes, err := Changes(t.Context(), &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{
		planned("a", tfjson.ActionDelete, object{"id": "0190d6a4-0000-7000-8000-000000000001", "deletion_policy": "archive"}, nil),
		planned("b", tfjson.ActionUpdate, object{"id": "0190d6a4-0000-7000-8000-000000000002", "deletion_policy": "delete"}, object{"id": "0190d6a4-0000-7000-8000-000000000002", "deletion_policy": "abandon"}),
		planned("c", tfjson.ActionNoop, object{"id": "0190d6a4-0000-7000-8000-000000000003"}, object{"id": "0190d6a4-0000-7000-8000-000000000003"}),
	}})
	require.NoError(t, err)
	require.Len(t, changes, 2)
	assert.Equal(t, "archive", changes[0].DeletionPolicy)
	assert.Equal(t, "delete", changes[1].DeletionPolicy)
	assert.Equal(t, object{"questions": []any{object{"id": true}}}, changes[1].AfterUnknown)
}

// tfplan looks for the action types that the provider registers.
func TestActionTypesAreRegistered(t *testing.T) {
	t.Parallel()

	for name, registered := range map[string]action.Action{LaunchAction: terraform.NewLaunchAction(), StopAction: terraform.NewStopAction()} {
		var resp action.MetadataResponse
		registered.Metadata(t.Context(), action.MetadataRequest{ProviderTypeName: "posthog"}, &resp)
		assert.Equal(t, name, resp.TypeName)
	}
}

// An action belongs to the survey in its configuration, even if the plan does not change or contain this survey.
// While the ID is unknown, the action belongs to the survey that triggers it.
func TestChangesHaveTheActionsOfThePlan(t *testing.T) {
	t.Parallel()

	invoke := func(kind string, id any, trigger string) *tfjson.ActionInvocation {
		one := &tfjson.ActionInvocation{Address: "action." + kind + ".x", Type: kind, ConfigValues: object{"survey_id": id}}
		if trigger != "" {
			one.LifecycleActionTrigger = &tfjson.LifecycleActionTrigger{TriggeringResourceAddress: trigger}
		}
		return one
	}
	state := &tfjson.State{Values: &tfjson.StateValues{RootModule: &tfjson.StateModule{Resources: []*tfjson.StateResource{
		{Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Address: "posthog_survey.kept", AttributeValues: object{"id": "0190d6a4-0000-7000-8000-000000000004", "name": "Kept"}},
	}}}}
	changes, err := Changes(t.Context(), &tfjson.Plan{
		PriorState: state,
		ResourceChanges: []*tfjson.ResourceChange{
			planned("new", tfjson.ActionCreate, nil, object{"name": "New"}),
			planned("other", tfjson.ActionCreate, nil, object{"name": "Other"}),
			planned("same", tfjson.ActionNoop, object{"id": "0190d6a4-0000-7000-8000-000000000003"}, object{"id": "0190d6a4-0000-7000-8000-000000000003"}),
		},
		ActionInvocations: []*tfjson.ActionInvocation{
			invoke(LaunchAction, nil, "posthog_survey.new"), invoke(StopAction, "0190d6a4-0000-7000-8000-000000000003", "terraform_data.x"), invoke(LaunchAction, "0190d6a4-0000-7000-8000-000000000004", ""),
			invoke(StopAction, "0190d6a4-0000-7000-8000-000000000005", ""), invoke("posthog_pipeline_import_app_upgrade", "3", ""),
		},
	})
	require.NoError(t, err)
	invoked := map[string][]string{}
	for _, change := range changes {
		invoked[change.After.Address+" "+change.After.Name] = change.Invoked
	}
	assert.Equal(t, map[string][]string{
		"posthog_survey.new New": {LaunchAction}, "posthog_survey.other Other": nil, "posthog_survey.same ": {StopAction},
		"posthog_survey.kept Kept": {LaunchAction}, "action.posthog_survey_stop.x ": {StopAction},
	}, invoked)
}

// The provider posthog/posthog has a resource with the same type, but different attributes.
func TestChangesOfAnotherProviderAreRefused(t *testing.T) {
	t.Parallel()
	const official = "registry.terraform.io/posthog/posthog"
	change := func(action tfjson.Action) *tfjson.Plan {
		one := planned("a", action, object{"id": "0190d6a4-0000-7000-8000-000000000001"}, object{"id": "0190d6a4-0000-7000-8000-000000000001", "name": "A"})
		one.ProviderName = official
		resource := &tfjson.StateResource{Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Address: "posthog_survey.a", ProviderName: official}
		return &tfjson.Plan{
			ResourceChanges: []*tfjson.ResourceChange{one},
			PriorState:      &tfjson.State{Values: &tfjson.StateValues{RootModule: &tfjson.StateModule{Resources: []*tfjson.StateResource{resource}}}},
		}
	}

	_, err := Changes(t.Context(), change(tfjson.ActionUpdate))
	require.ErrorContains(t, err, "the plan manages posthog_survey.a with the provider "+official)
	require.ErrorContains(t, err, "terraform state replace-provider")
	_, err = Objects(t.Context(), change(tfjson.ActionUpdate))
	require.ErrorContains(t, err, "posthog_survey.a")

	changes, err := Changes(t.Context(), change(tfjson.ActionNoop))
	require.NoError(t, err, "an unchanged object must not cause an error")
	assert.Empty(t, changes)

	reader := NewStateReader(source.Object.Whole)
	err = reader.Add(change(tfjson.ActionNoop).PriorState.Values.RootModule.Resources[0])
	require.ErrorContains(t, err, "the state manages posthog_survey.a with the provider "+official)
}
