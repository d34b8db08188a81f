package tfplan

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Change is the change of one object in a plan.
type Change struct {
	// Before is the object before the change, or nil if the plan creates it. After is the object after the
	// change, or nil if the plan deletes it.
	Before, After *source.Object
	// Replace is set if the plan deletes the object and creates it again.
	Replace bool
	// Forget is set if the plan removes the object from the state but keeps it in PostHog.
	Forget bool
	// DeletionPolicy is the deletion_policy in the state, which applies when Terraform destroys the survey. It
	// is empty if the state does not contain a policy. A policy in the configuration takes effect after it is
	// applied.
	DeletionPolicy string
	// AfterUnknown contains the values of After that are known only after apply, including nested values,
	// in Terraform's JSON format.
	AfterUnknown map[string]any
	// Detached contains the survey's questions with detached answers.
	Detached identity.DetachedList
	// Invoked contains the types of the actions that the plan invokes on the object, such as
	// posthog_survey_launch.
	Invoked []string
}

// Changes returns the changes in a plan, sorted by address. It includes an unchanged object only if the plan
// invokes an action on it, or if included contains its address.
func Changes(ctx context.Context, plan *tfjson.Plan, included ...string) ([]Change, error) {
	var changes []Change
	invoked, hidden := invocationsOf(plan), newHider()
	err := eachChange(plan, hidden, func(reader reader, planned *tfjson.ResourceChange) error {
		change, err := reader.change(planned)
		if err != nil {
			return err
		}
		change.Invoked = invoked.on(planned.Address, change)
		if actions := planned.Change.Actions; !actions.NoOp() && !actions.Read() || len(change.Invoked) > 0 || slices.Contains(included, planned.Address) {
			changes = append(changes, change)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	others, err := invoked.onOthers(plan.PriorState, hidden)
	if err != nil {
		return nil, err
	}
	changes = append(changes, others...)

	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(a.address(), b.address()) })
	return changes, nil
}

func (c Change) address() string {
	if c.After != nil {
		return c.After.Address
	}
	return c.Before.Address
}

// change converts a resource's change.
func (r reader) change(planned *tfjson.ResourceChange) (Change, error) {
	change := Change{Replace: planned.Change.Actions.Replace(), Forget: planned.Change.Actions.Forget()}
	change.AfterUnknown, _ = planned.Change.AfterUnknown.(map[string]any)
	if before, ok := planned.Change.Before.(map[string]any); ok {
		change.DeletionPolicy = jsonvalue.String(before["deletion_policy"])
	}

	var err error
	if change.Before, err = r.optional(planned.Address, planned.Change.Before, nil, planned.Change.BeforeSensitive); err != nil {
		return Change{}, err
	}
	if change.After, err = r.optional(planned.Address, planned.Change.After, planned.Change.AfterUnknown, planned.Change.AfterSensitive); err != nil {
		return Change{}, err
	}

	r.hidden.counterparts(change.Before, change.After)
	r.hidden.counterparts(change.After, change.Before)
	return change, nil
}

// optional converts the object before or after a change. It returns nil if the plan contains null.
func (r reader) optional(address string, values, unknown, sensitive any) (*source.Object, error) {
	if values == nil {
		return nil, nil //nolint:nilnil // a create has nothing before, a delete nothing after
	}

	attributes, ok := values.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the plan has no attributes for the change of %s", address)
	}
	unknownAttributes, _ := unknown.(map[string]any)
	object, err := r.object(address, attributes, unknownAttributes, sensitive)
	return &object, err
}

// Types of actions that change a survey.
const (
	LaunchAction = "posthog_survey_launch"
	StopAction   = "posthog_survey_stop"
)

// invocations contains the actions that a plan invokes on surveys.
type invocations struct {
	list []*tfjson.ActionInvocation
	// assigned contains the invocations on surveys that the plan changes.
	assigned map[*tfjson.ActionInvocation]bool
}

func invocationsOf(plan *tfjson.Plan) invocations {
	i := invocations{assigned: map[*tfjson.ActionInvocation]bool{}}
	for _, invocation := range plan.ActionInvocations {
		if invocation.Type == LaunchAction || invocation.Type == StopAction {
			i.list = append(i.list, invocation)
		}
	}
	return i
}

// on returns the types of the actions on a resource. An action belongs to a resource if its survey_id is the
// resource's ID. If its survey_id is known only after apply, it belongs to the resource that triggers it.
func (i invocations) on(address string, change Change) []string {
	id := ""
	for _, object := range []*source.Object{change.Before, change.After} {
		if object != nil && object.ID != "" {
			id = object.ID
		}
	}

	var types []string
	for _, invocation := range i.list {
		target := surveyID(invocation)
		trigger := invocation.LifecycleActionTrigger
		isTrigger := trigger != nil && trigger.TriggeringResourceAddress == address
		if target != "" && target == id || target == "" && isTrigger {
			i.assigned[invocation] = true
			types = append(types, invocation.Type)
		}
	}
	return types
}

// onOthers returns the changes to surveys that are not resources in the plan. Another configuration may
// manage such a survey, and a plan with -invoke contains no resources.
func (i invocations) onOthers(prior *tfjson.State, hidden *hider) ([]Change, error) {
	objects, err := fromState(prior, hidden)
	if err != nil {
		return nil, err
	}
	managed := map[string]source.Object{}
	for _, object := range objects {
		managed[object.ID] = object
	}

	var changes []Change
	for _, invocation := range i.list {
		if i.assigned[invocation] {
			continue
		}
		id := surveyID(invocation)
		object, ok := managed[id]
		if !ok || id == "" {
			object = source.Object{Kind: source.Survey, ID: id, Address: invocation.Address}
		}
		changes = append(changes, Change{Before: &object, After: &object, Invoked: []string{invocation.Type}})
	}
	return changes, nil
}

// surveyID returns an action's survey_id. It returns an empty string if the ID is unknown.
func surveyID(action *tfjson.ActionInvocation) string {
	values, _ := action.ConfigValues.(map[string]any)
	return jsonvalue.String(values["survey_id"])
}
