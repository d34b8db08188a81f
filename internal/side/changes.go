package side

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"
)

// Change is what a plan does to one object.
type Change struct {
	// Before and After are nil where there is nothing: before a create, after a delete.
	Before, After *Object
	// Replace is set when the object is deleted and created again.
	Replace bool
	// Forget is set when the object leaves the state and stays on the service.
	Forget bool
}

// Changes are the changes of a plan, without objects that stay as they are.
func Changes(ctx context.Context, plan *tfjson.Plan) ([]Change, error) {
	var changes []Change
	for _, kind := range []Kind{Survey, App} {
		reader := newReader(ctx, kind)
		for _, planned := range plan.ResourceChanges {
			if planned.Mode != tfjson.ManagedResourceMode || planned.Type != kind.resourceType() || planned.Change == nil {
				continue
			}
			actions := planned.Change.Actions
			if actions.NoOp() || actions.Read() {
				continue
			}

			change := Change{Replace: actions.Replace(), Forget: actions.Forget()}
			var err error
			if change.Before, err = reader.optional(planned.Address, planned.Change.Before, nil); err != nil {
				return nil, err
			}
			if change.After, err = reader.optional(planned.Address, planned.Change.After, planned.Change.AfterUnknown); err != nil {
				return nil, err
			}
			changes = append(changes, change)
		}
	}

	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(a.address(), b.address()) })
	return changes, nil
}

func (c Change) address() string {
	if c.After != nil {
		return c.After.Address
	}
	return c.Before.Address
}

// optional is an object of a change, nil where the plan has null.
func (r reader) optional(address string, values, unknown any) (*Object, error) {
	if values == nil {
		return nil, nil //nolint:nilnil // a create has nothing before, a delete nothing after
	}

	attributes, ok := values.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the plan does not say what becomes of %s", address)
	}
	notKnown, _ := unknown.(map[string]any)
	object := r.object(address, attributes, notKnown)
	return &object, nil
}
