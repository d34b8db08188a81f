// Package tfplan reads Terraform plans and states in JSON: the objects in a state, the objects after a plan,
// and each object's change. It converts values that Terraform marks as sensitive to secrets. The package
// runs no programs and sends no requests. Start reading at [Changes].
package tfplan

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-framework/attr"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// fromState returns the objects in a state, including objects in modules.
func fromState(state *tfjson.State, hidden *hider) ([]source.Object, error) {
	r := newStateReader(hidden, source.Object.Whole)
	if state == nil || state.Values == nil || state.Values.RootModule == nil {
		return nil, nil
	}
	err := eachResource(state.Values.RootModule, func(resource *tfjson.StateResource) error {
		if isOtherProvider(resource.ProviderName) {
			return nil // eachChange refuses a change of such an object
		}
		return r.Add(resource)
	})
	return r.Objects(), err
}

// StateReader collects the objects in a state, one resource at a time.
type StateReader struct {
	readers map[string]reader
	as      func(source.Object) source.Object
	objects []source.Object
}

// NewStateReader returns a reader for one state. as converts each object, for example with
// [source.Object.Shelved].
func NewStateReader(as func(source.Object) source.Object) *StateReader {
	return newStateReader(newHider(), as)
}

func newStateReader(hidden *hider, as func(source.Object) source.Object) *StateReader {
	r := &StateReader{readers: map[string]reader{}, as: as}
	for _, kind := range []source.Kind{source.Survey, source.App} {
		r.readers[kind.ResourceType()] = newReader(kind, hidden)
	}
	return r
}

// Add adds a resource if it is a survey or an import app. It returns an error if the resource belongs to
// another provider.
func (r *StateReader) Add(resource *tfjson.StateResource) error {
	reader, ok := r.readers[resource.Type]
	if !ok || resource.Mode != tfjson.ManagedResourceMode {
		return nil
	}
	if isOtherProvider(resource.ProviderName) {
		return OtherProvider("state", resource.Address, resource.ProviderName)
	}
	sensitive, err := marksOf(resource)
	if err != nil {
		return err
	}
	object, err := reader.object(resource.Address, resource.AttributeValues, nil, sensitive)
	r.objects = append(r.objects, r.as(object))
	return err
}

// Objects returns all objects, sorted by kind and address.
func (r *StateReader) Objects() []source.Object { return sorted(r.objects) }

// marksOf returns the marks for a resource's sensitive values.
func marksOf(r *tfjson.StateResource) (any, error) {
	if len(r.SensitiveValues) == 0 {
		return nil, nil //nolint:nilnil // nothing is sensitive
	}
	var marks any
	if err := json.Unmarshal(r.SensitiveValues, &marks); err != nil {
		return nil, fmt.Errorf("could not read from the state which values of %s are sensitive: %w", r.Address, err)
	}
	return marks, nil
}

// Objects returns the objects as they will be after the plan is applied.
func Objects(ctx context.Context, plan *tfjson.Plan) ([]source.Object, error) {
	var objects []source.Object
	err := eachChange(plan, newHider(), func(reader reader, change *tfjson.ResourceChange) error {
		if change.Change.Actions.Delete() || change.Change.Actions.Forget() {
			return nil
		}
		after, ok := change.Change.After.(map[string]any)
		if !ok {
			return fmt.Errorf("the plan has no values after the change of %s", change.Address)
		}
		unknown, _ := change.Change.AfterUnknown.(map[string]any)
		object, err := reader.object(change.Address, after, unknown, change.Change.AfterSensitive)
		objects = append(objects, object)
		return err
	})
	return sorted(objects), err
}

// Unanswered returns the addresses of the lookups that a plan without an API key skipped. It also marks the
// values that depend on these lookups as unknown in the plan's changes.
func Unanswered(plan *tfjson.Plan) (addresses []string) {
	for _, change := range plan.ResourceChanges {
		after, _ := change.Change.After.(map[string]any)
		unknown, _ := change.Change.AfterUnknown.(map[string]any)
		for name, value := range after {
			text, _ := json.Marshal(value) // decoded from JSON
			if bytes.Contains(text, []byte(strconv.Itoa(provider.Unanswered))) {
				after[name], unknown[name] = nil, true
			}
		}
	}

	if plan.PriorState == nil || plan.PriorState.Values == nil || plan.PriorState.Values.RootModule == nil {
		return nil
	}
	_ = eachResource(plan.PriorState.Values.RootModule, func(r *tfjson.StateResource) error {
		if r.Mode == tfjson.DataResourceMode && code.IsProviderSource(r.ProviderName) {
			addresses = append(addresses, r.Address)
		}
		return nil
	})
	return addresses
}

// eachChange calls visit for each survey change, and then for each import app change, until visit returns an
// error. It returns an error for another provider's changes, whose attributes have different meanings, and
// omits another provider's unchanged objects.
func eachChange(plan *tfjson.Plan, hidden *hider, visit func(reader, *tfjson.ResourceChange) error) error {
	for _, kind := range []source.Kind{source.Survey, source.App} {
		reader := newReader(kind, hidden)
		for _, change := range plan.ResourceChanges {
			if change.Mode != tfjson.ManagedResourceMode || change.Type != kind.ResourceType() || change.Change == nil {
				continue
			}
			if isOtherProvider(change.ProviderName) {
				if change.Change.Actions.NoOp() {
					continue
				}
				return OtherProvider("plan", change.Address, change.ProviderName)
			}
			if err := visit(reader, change); err != nil {
				return err
			}
		}
	}
	return nil
}

// isOtherProvider reports whether a resource belongs to another provider. A resource without a source belongs
// to this provider.
func isOtherProvider(source string) bool { return source != "" && !code.IsProviderSource(source) }

// OtherProvider returns the error for a resource that another provider manages.
func OtherProvider(where, address, source string) error {
	return fmt.Errorf("the %s manages %s with the provider %s instead of %s: "+
		"move it first with \"terraform state replace-provider %s %s\"", where, address, source, code.ProviderSource, source, code.ProviderSource)
}

// eachResource calls visit for each resource in a module and its child modules, until visit returns an error.
func eachResource(module *tfjson.StateModule, visit func(*tfjson.StateResource) error) error {
	for _, r := range module.Resources {
		if err := visit(r); err != nil {
			return err
		}
	}
	for _, child := range module.ChildModules {
		if err := eachResource(child, visit); err != nil {
			return err
		}
	}
	return nil
}

// sorted sorts objects by kind and address.
func sorted(objects []source.Object) []source.Object {
	slices.SortStableFunc(objects, func(a, b source.Object) int {
		return cmp.Or(cmp.Compare(b.Kind, a.Kind), cmp.Compare(a.Address, b.Address))
	})
	return objects
}

// reader reads objects of one kind from Terraform's JSON.
type reader struct {
	kind   source.Kind
	types  map[string]attr.Type
	hidden *hider
}

func newReader(kind source.Kind, hidden *hider) reader {
	return reader{kind, source.AttributeTypes(kind), hidden}
}

// object converts a resource. unknown contains the values that are known only after apply, and sensitive
// contains the values that must not be printed. Both are in Terraform's JSON format.
//
// Plans and states may come from other people. object returns an error for an invalid ID, which could
// otherwise end up in URLs and file names.
func (r reader) object(address string, values, unknown map[string]any, sensitive any) (source.Object, error) {
	o := source.Object{Kind: r.kind, Address: address, Attributes: r.hidden.object(attribute.ObjectFromPlan(values, r.types, source.DecodeJSON), sensitive, r.types)}
	source.HideDefaults(o.Attributes)
	o.ID, o.Name = jsonvalue.String(o.Attributes["id"]), jsonvalue.String(o.Attributes["name"])
	o.ParentID = jsonvalue.String(o.Attributes["project_id"])
	if r.kind == source.App {
		o.ParentID = jsonvalue.String(o.Attributes["organization_id"])
	}
	for name, value := range unknown {
		if isUnknown, ok := value.(bool); ok && isUnknown && r.types[name] != nil {
			o.Unknown = append(o.Unknown, name)
		}
	}
	slices.Sort(o.Unknown)
	if slices.Contains(o.Unknown, "name") {
		o.Name = address // users can recognize this name before an apply
	}

	if o.ID != "" && !r.kind.IsID(o.ID) {
		return source.Object{}, fmt.Errorf("%s has the ID %q, which is not a valid ID in PostHog", address, o.ID)
	}
	return o, nil
}
