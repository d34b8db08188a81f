package tfpolicy

import (
	"encoding/json"
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"
)

// Planned are the resources of a plan, as terraform show -json prints it.
func Planned(schemas Schemas, document []byte) ([]Subject, error) {
	var plan tfjson.Plan
	if err := json.Unmarshal(document, &plan); err != nil {
		return nil, fmt.Errorf("cannot decode the plan: %w", err)
	}

	var subjects []Subject
	for _, change := range plan.ResourceChanges {
		if change.Mode != tfjson.ManagedResourceMode {
			continue
		}
		changed, err := subjectsOf(schemas, change)
		if err != nil {
			return nil, fmt.Errorf("cannot read the change of %s: %w", change.Address, err)
		}
		subjects = append(subjects, changed...)
	}
	return subjects, nil
}

// subjectsOf are what policies are evaluated for when a resource changes.
func subjectsOf(schemas Schemas, change *tfjson.ResourceChange) ([]Subject, error) {
	typ, err := schemas.ResourceType(change.Type)
	if err != nil {
		return nil, err
	}
	before, err := decoded(typ, change.Change.Before, nil)
	if err != nil {
		return nil, err
	}
	after, err := decoded(typ, change.Change.After, change.Change.AfterUnknown)
	if err != nil {
		return nil, err
	}

	none, removed := cty.NullVal(typ), nothing(typ)
	subject := func(operation Operation, attrs, priorAttrs cty.Value) Subject {
		return Subject{Address: change.Address, Type: change.Type, Operation: operation, Attrs: attrs, PriorAttrs: priorAttrs}
	}
	switch actions := change.Change.Actions; {
	case actions.Create():
		return []Subject{subject(Create, after, none)}, nil
	case actions.Update():
		return []Subject{subject(Update, after, before)}, nil
	case actions.Delete():
		return []Subject{subject(Delete, removed, before)}, nil
	case actions.Replace():
		return []Subject{subject(Delete, removed, before), subject(Create, after, none)}, nil
	case actions.NoOp():
		return []Subject{subject(NoOp, after, none)}, nil
	default:
		return nil, fmt.Errorf("the documentation does not say what policies see of %v", actions)
	}
}

// nothing is what is left of a deleted resource: each of its attributes is null.
func nothing(typ cty.Type) cty.Value {
	values := map[string]cty.Value{}
	for name, one := range typ.AttributeTypes() {
		values[name] = cty.NullVal(one)
	}
	return cty.ObjectVal(values)
}
