package attribute

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Stated returns the values of a resource's attributes with null for each one that a
// configuration of the resource does not have to state: what it cannot set, and what
// an omission plans to keep. Attributes in always are stated even so, unless they are
// null.
func MinimalConfig(attributes map[string]schema.Attribute, values map[string]attr.Value, always ...string) map[string]attr.Value {
	stated := make(map[string]attr.Value, len(values))
	for name, value := range values {
		stated[name] = value
		a, known := attributes[name]
		if !known || !a.IsRequired() && !slices.Contains(always, name) && omittable(a, value) {
			stated[name] = NullLike(value)
		}
	}
	return stated
}

// omittable reports whether a configuration that omits an attribute keeps its value.
func omittable(a schema.Attribute, value attr.Value) bool {
	if !a.IsOptional() {
		return true
	}
	silence, ok := omittedValueOf(a)
	return !ok || silence.Plan(value, value, false).Equal(value)
}

// silenceOf finds the plan modifier that says what an omission means.
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
		if silence, ok := any(modifier).(OmittedValue); ok {
			return silence, true
		}
	}
	return OmittedValue{}, false
}

// NullLike is the null of a value's type.
func NullLike(value attr.Value) attr.Value {
	ctx := context.Background()
	of := value.Type(ctx)
	null, err := of.ValueFromTerraform(ctx, tftypes.NewValue(of.TerraformType(ctx), nil))
	if err != nil {
		panic(err) // every type has a null
	}
	return null
}

// Named is an attribute of a struct, by its tfsdk tag.
type Named struct {
	Name  string
	Value attr.Value
}

// Ordered are the fields of a struct as attributes, as [Attributes] returns them, in
// the order of the struct.
func Ordered(source any) []Named {
	values := FromStruct(source)
	ordered := make([]Named, 0, len(values))
	for _, name := range Names(source) {
		ordered = append(ordered, Named{name, values[name]})
	}
	return ordered
}
