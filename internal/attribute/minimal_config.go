package attribute

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// MinimalConfig returns the values of a resource's attributes with null for each one that
// a configuration of the resource can omit: what it cannot set, and what an omission
// plans to keep. Attributes in always are kept in any case.
func MinimalConfig(attributes map[string]schema.Attribute, values map[string]attr.Value, always ...string) map[string]attr.Value {
	minimal := make(map[string]attr.Value, len(values))
	for name, value := range values {
		minimal[name] = value
		a, known := attributes[name]
		if !known || !a.IsRequired() && !slices.Contains(always, name) && omittable(a, value) {
			minimal[name] = NullLike(value)
		}
	}
	return minimal
}

// omittable reports whether a configuration that omits an attribute keeps its value.
func omittable(a schema.Attribute, value attr.Value) bool {
	if !a.IsOptional() {
		return true
	}
	omitted, ok := omittedValueOf(a)
	return !ok || omitted.Plan(value, value, false).Equal(value)
}

// omittedValueOf finds the OmittedValue among the plan modifiers of an attribute.
func omittedValueOf(a schema.Attribute) (OmittedValue, bool) {
	switch a := a.(type) {
	case schema.StringAttribute:
		return findOmittedValue(a.PlanModifiers)
	case schema.BoolAttribute:
		return findOmittedValue(a.PlanModifiers)
	case schema.Int64Attribute:
		return findOmittedValue(a.PlanModifiers)
	case schema.ListNestedAttribute:
		return findOmittedValue(a.PlanModifiers)
	}
	return OmittedValue{}, false
}

func findOmittedValue[T planmodifier.Describer](modifiers []T) (OmittedValue, bool) {
	for _, modifier := range modifiers {
		if omitted, ok := any(modifier).(OmittedValue); ok {
			return omitted, true
		}
	}
	return OmittedValue{}, false
}

// NullLike returns the null of a value's type.
//
//nolint:contextcheck // a type that is built into the provider needs no context
func NullLike(value attr.Value) attr.Value { return NullOf(value.Type(context.Background())) }

// NullOf is the null of a type.
func NullOf(typ attr.Type) attr.Value {
	ctx := context.Background()
	null, err := typ.ValueFromTerraform(ctx, tftypes.NewValue(typ.TerraformType(ctx), nil))
	if err != nil {
		panic(err) // every type has a null
	}
	return null
}
