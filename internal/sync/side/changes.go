package side

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Change is the change of one object by a plan.
type Change struct {
	// Before and After are the object before and after the change; Before is nil for a
	// create, After for a delete.
	Before, After *Object
	// Replace is set when the object is deleted and created again.
	Replace bool
	// Forget is set when the object leaves the state and stays on the service.
	Forget bool
	// DeletionPolicy is the deletion_policy of the state, by which a survey is destroyed;
	// empty where the state has none. The one of the configuration takes effect only once it
	// is applied.
	DeletionPolicy string
	// AfterUnknown are the values of After that are known only after apply, including nested
	// ones, in the form of a plan.
	AfterUnknown map[string]any
	// Invoked are the types of the actions that the plan invokes on the object, such as
	// posthog_survey_launch.
	Invoked []string
}

// Changes returns the changes of a plan sorted by address. An object that does not change
// is among them only if the plan invokes an action on it.
func Changes(ctx context.Context, plan *tfjson.Plan) ([]Change, error) {
	var changes []Change
	invoked, hidden := invocationsOf(plan), newHider()
	for _, kind := range []Kind{Survey, App} {
		reader := newReader(kind, hidden)
		for _, planned := range plan.ResourceChanges {
			if planned.Mode != tfjson.ManagedResourceMode || planned.Type != kind.resourceType() || planned.Change == nil {
				continue
			}
			change, err := reader.change(planned)
			if err != nil {
				return nil, err
			}

			change.Invoked = invoked.on(planned.Address, change)
			if actions := planned.Change.Actions; !actions.NoOp() && !actions.Read() || len(change.Invoked) > 0 {
				changes = append(changes, change)
			}
		}
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

// change converts the change of one resource.
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

// optional converts one side of a change; nil where the plan has null.
func (r reader) optional(address string, values, unknown, sensitive any) (*Object, error) {
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
