package side

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	tfjson "github.com/hashicorp/terraform-json"
)

// FromState returns the objects of a state, including those of modules.
func FromState(ctx context.Context, state *tfjson.State) ([]Object, error) {
	return fromState(state, newHider())
}

func fromState(state *tfjson.State, hidden *hider) ([]Object, error) {
	var objects []Object
	if state == nil || state.Values == nil || state.Values.RootModule == nil {
		return objects, nil
	}
	var firstErr error
	for _, kind := range []Kind{Survey, App} {
		reader := newReader(kind, hidden)
		eachResource(state.Values.RootModule, func(r *tfjson.StateResource) {
			if r.Mode == tfjson.ManagedResourceMode && r.Type == kind.resourceType() {
				sensitive, markErr := marksOf(r)
				object, err := reader.object(r.Address, r.AttributeValues, nil, sensitive)
				firstErr = cmp.Or(firstErr, markErr, err)
				objects = append(objects, object)
			}
		})
	}
	return sorted(objects), firstErr
}

// marksOf says which values of a resource are sensitive.
func marksOf(r *tfjson.StateResource) (any, error) {
	if len(r.SensitiveValues) == 0 {
		return nil, nil //nolint:nilnil // nothing is sensitive
	}
	var marks any
	if err := json.Unmarshal(r.SensitiveValues, &marks); err != nil {
		return nil, fmt.Errorf("the state does not say which values of %s are sensitive: %w", r.Address, err)
	}
	return marks, nil
}

// FromPlan returns the objects as they are after a plan is applied.
func FromPlan(ctx context.Context, plan *tfjson.Plan) ([]Object, error) {
	var objects []Object
	hidden := newHider()
	for _, kind := range []Kind{Survey, App} {
		reader := newReader(kind, hidden)
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
			object, err := reader.object(change.Address, after, unknown, change.Change.AfterSensitive)
			if err != nil {
				return nil, err
			}
			object.Configured = configuredAttributes(plan.Config, change)
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
