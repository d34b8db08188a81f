package side

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"
)

// FromState returns the objects of a state, including those of modules.
func FromState(ctx context.Context, state *tfjson.State) ([]Object, error) {
	var objects []Object
	if state == nil || state.Values == nil || state.Values.RootModule == nil {
		return objects, nil
	}
	var firstErr error
	for _, kind := range []Kind{Survey, App} {
		reader := newReader(ctx, kind)
		eachResource(state.Values.RootModule, func(r *tfjson.StateResource) {
			if r.Mode == tfjson.ManagedResourceMode && r.Type == kind.resourceType() {
				object, err := reader.object(r.Address, r.AttributeValues, nil)
				firstErr = cmp.Or(firstErr, err)
				objects = append(objects, object)
			}
		})
	}
	return sorted(objects), firstErr
}

// FromPlan returns the objects as they are after a plan is applied.
func FromPlan(ctx context.Context, plan *tfjson.Plan) ([]Object, error) {
	var objects []Object
	for _, kind := range []Kind{Survey, App} {
		reader := newReader(ctx, kind)
		for _, change := range plan.ResourceChanges {
			if change.Mode != tfjson.ManagedResourceMode || change.Type != kind.resourceType() || change.Change == nil {
				continue
			}
			if change.Change.Actions.Delete() || change.Change.Actions.Forget() {
				continue
			}
			after, ok := change.Change.After.(map[string]any)
			if !ok {
				return nil, fmt.Errorf("the plan has no values after the change of %s", change.Address)
			}
			unknown, _ := change.Change.AfterUnknown.(map[string]any)
			object, err := reader.object(change.Address, after, unknown)
			if err != nil {
				return nil, err
			}
			objects = append(objects, object)
		}
	}
	return sorted(objects), nil
}

// eachResource calls visit for each resource of a module and of its child modules.
func eachResource(module *tfjson.StateModule, visit func(*tfjson.StateResource)) {
	for _, r := range module.Resources {
		visit(r)
	}
	for _, child := range module.ChildModules {
		eachResource(child, visit)
	}
}

// sorted sorts objects by kind and address.
func sorted(objects []Object) []Object {
	slices.SortStableFunc(objects, func(a, b Object) int {
		return cmp.Or(cmp.Compare(b.Kind, a.Kind), cmp.Compare(a.Address, b.Address))
	})
	return objects
}
