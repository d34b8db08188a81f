package attribute

import (
	"context"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// OmittedValue is the plan modifier for an optional and computed attribute that the configuration omits. It keeps an
// empty prior value and PostHog's default. It resets any other value, so that removing an attribute from a
// configuration has an effect.
//
// For a new object, the value is unknown, and PostHog sets it. If the reset value is null, the plan contains null
// instead.
type OmittedValue struct {
	reset   attr.Value
	isEmpty func(attr.Value) bool
}

// ResetValue returns the OmittedValue for an attribute whose PostHog default is reset.
func ResetValue(reset attr.Value) OmittedValue { return OmittedValue{reset: reset, isEmpty: IsEmpty} }

// ResetJSON returns the OmittedValue for a JSON attribute that null clears. Any value that is empty according to
// [jsonvalue.IsEmpty], such as an object of nulls, counts as null.
func ResetJSON() OmittedValue { return OmittedValue{reset: types.StringNull(), isEmpty: isEmptyJSON} }

// ResetJSONValue returns the OmittedValue for a JSON attribute whose PostHog default is the JSON text reset. Null, and
// any value that is empty according to [jsonvalue.IsEmpty], count as the default.
func ResetJSONValue(reset string) OmittedValue {
	isEmpty := func(v attr.Value) bool {
		text, ok := v.(interface{ ValueString() string })
		return isEmptyJSON(v) || ok && SameJSON(text.ValueString(), reset)
	}

	return OmittedValue{reset: types.StringValue(reset), isEmpty: isEmpty}
}

// IsEmpty reports whether a value is null, "", false, or an empty collection. The number 0 is not empty.
func IsEmpty(v attr.Value) bool {
	if v.IsNull() || v.IsUnknown() {
		return v.IsNull()
	}

	switch v := v.(type) {
	case interface{ ValueString() string }:
		return v.ValueString() == ""
	case types.Bool:
		return !v.ValueBool()
	case types.List:
		return len(v.Elements()) == 0
	case types.Map:
		return len(v.Elements()) == 0
	case interface{ IsEmpty() bool }:
		return v.IsEmpty()
	}
	return false
}

// isEmptyJSON is [IsEmpty] for a JSON value.
func isEmptyJSON(v attr.Value) bool {
	text, ok := v.(interface{ ValueString() string })
	if v.IsNull() || v.IsUnknown() || !ok {
		return v.IsNull()
	}
	return jsonvalue.IsEmpty(jsonvalue.Text(text.ValueString()))
}

// Plan returns an omitted attribute's planned value. isNew is set if there is no prior object.
func (o OmittedValue) Plan(planned, prior attr.Value, isNew bool) attr.Value {
	switch {
	case isNew && o.reset.IsNull():
		return o.reset
	case isNew:
		return planned
	case o.isEmpty(prior), prior.Equal(o.reset):
		return prior
	}
	return o.reset
}

// Description implements planmodifier.Describer.
func (o OmittedValue) Description(context.Context) string {
	return "If removed from the configuration, it is reset to " + o.reset.String() + "."
}

// MarkdownDescription implements planmodifier.Describer.
func (o OmittedValue) MarkdownDescription(ctx context.Context) string { return o.Description(ctx) }

// planOmittedValue plans the value of an attribute if the configuration omits it.
func planOmittedValue[V attr.Value](o OmittedValue, config, prior V, planned *V, isNew bool) {
	if config.IsNull() {
		if v, ok := o.Plan(*planned, prior, isNew).(V); ok {
			*planned = v
		}
	}
}

// PlanModifyString implements planmodifier.String.
func (o OmittedValue) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	planOmittedValue(o, req.ConfigValue, req.StateValue, &resp.PlanValue, req.State.Raw.IsNull())
}

// PlanModifyBool implements planmodifier.Bool.
func (o OmittedValue) PlanModifyBool(_ context.Context, req planmodifier.BoolRequest, resp *planmodifier.BoolResponse) {
	planOmittedValue(o, req.ConfigValue, req.StateValue, &resp.PlanValue, req.State.Raw.IsNull())
}

// PlanModifyInt64 implements planmodifier.Int64.
func (o OmittedValue) PlanModifyInt64(_ context.Context, req planmodifier.Int64Request, resp *planmodifier.Int64Response) {
	planOmittedValue(o, req.ConfigValue, req.StateValue, &resp.PlanValue, req.State.Raw.IsNull())
}

// PlanModifyList implements planmodifier.List.
func (o OmittedValue) PlanModifyList(_ context.Context, req planmodifier.ListRequest, resp *planmodifier.ListResponse) {
	planOmittedValue(o, req.ConfigValue, req.StateValue, &resp.PlanValue, req.State.Raw.IsNull())
}

// PlannedString is a plan modifier that plans a string by calling a function.
type PlannedString struct {
	// Says is the description of the modifier.
	Says string
	// Plan sets the planned value.
	Plan func(ctx context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse)
}

// Description implements planmodifier.Describer.
func (p PlannedString) Description(context.Context) string { return p.Says }

// MarkdownDescription implements planmodifier.Describer.
func (p PlannedString) MarkdownDescription(context.Context) string { return p.Says }

// PlanModifyString implements planmodifier.String.
func (p PlannedString) PlanModifyString(ctx context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	p.Plan(ctx, req, resp)
}

// Equivalent is a plan modifier for strings. If the configured value has the same meaning as the prior value, it plans
// the prior value, which Terraform allows in this case. The function compares the two values.
type Equivalent func(prior, configured string) bool

// Description implements planmodifier.Describer.
func (Equivalent) Description(context.Context) string {
	return "Another spelling of the same value is not a change."
}

// MarkdownDescription implements planmodifier.Describer.
func (e Equivalent) MarkdownDescription(ctx context.Context) string { return e.Description(ctx) }

// PlanModifyString implements planmodifier.String.
func (e Equivalent) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if req.StateValue.IsNull() || req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if e(req.StateValue.ValueString(), req.ConfigValue.ValueString()) {
		resp.PlanValue = req.StateValue
	}
}

// EquivalentInPlace marks a string in the objects of a list, for code that reads the schema. For an equivalent string
// at the same position, the resource plans no change. EquivalentInPlace itself does nothing, because it does not know
// which prior object an element belongs to.
type EquivalentInPlace Equivalent

// Description implements planmodifier.Describer.
func (e EquivalentInPlace) Description(ctx context.Context) string {
	return Equivalent(e).Description(ctx)
}

// MarkdownDescription implements planmodifier.Describer.
func (e EquivalentInPlace) MarkdownDescription(ctx context.Context) string { return e.Description(ctx) }

// PlanModifyString implements planmodifier.String.
func (EquivalentInPlace) PlanModifyString(context.Context, planmodifier.StringRequest, *planmodifier.StringResponse) {
}

// NullDefault is the null default for an optional attribute in a nested object. Together with Computed, it has three
// effects: the framework does not mark the attribute as unknown, it does not copy the prior value at the same index,
// and Terraform omits the attribute from generated configuration.
type NullDefault struct {
	// KeepsEmpty is set if the object's plan keeps a prior "", false, or empty list when the configuration omits the
	// attribute. Only code that reads the schema uses it.
	KeepsEmpty bool
	// Of is the type of an object, list, or map. A null of such a type needs it.
	Of attr.Type
}

// Description implements defaults.Describer.
func (NullDefault) Description(context.Context) string { return "null" }

// MarkdownDescription implements defaults.Describer.
func (NullDefault) MarkdownDescription(context.Context) string { return "null" }

// DefaultString implements defaults.String.
func (NullDefault) DefaultString(_ context.Context, _ defaults.StringRequest, resp *defaults.StringResponse) {
	resp.PlanValue = types.StringNull()
}

// DefaultBool implements defaults.Bool.
func (NullDefault) DefaultBool(_ context.Context, _ defaults.BoolRequest, resp *defaults.BoolResponse) {
	resp.PlanValue = types.BoolNull()
}

// DefaultInt64 implements defaults.Int64.
func (NullDefault) DefaultInt64(_ context.Context, _ defaults.Int64Request, resp *defaults.Int64Response) {
	resp.PlanValue = types.Int64Null()
}

// DefaultNumber implements defaults.Number.
func (NullDefault) DefaultNumber(_ context.Context, _ defaults.NumberRequest, resp *defaults.NumberResponse) {
	resp.PlanValue = types.NumberNull()
}

// DefaultObject implements defaults.Object.
func (n NullDefault) DefaultObject(_ context.Context, _ defaults.ObjectRequest, resp *defaults.ObjectResponse) {
	resp.PlanValue, _ = NullValue(n.Of).(types.Object) //nolint:contextcheck // the null of a type needs none
}

// DefaultList implements defaults.List.
func (n NullDefault) DefaultList(_ context.Context, _ defaults.ListRequest, resp *defaults.ListResponse) {
	resp.PlanValue, _ = NullValue(n.Of).(types.List) //nolint:contextcheck // the null of a type needs none
}

// DefaultMap implements defaults.Map.
func (n NullDefault) DefaultMap(_ context.Context, _ defaults.MapRequest, resp *defaults.MapResponse) {
	resp.PlanValue, _ = NullValue(n.Of).(types.Map) //nolint:contextcheck // the null of a type needs none
}

// KeepEquivalent sets attributes to their prior values if both values are empty or equivalent.
func KeepEquivalent(values, prior map[string]attr.Value, same map[string]Equivalent) {
	for name, value := range values {
		isSame := saysNothing(value) && saysNothing(prior[name])
		if means := same[name]; means != nil && IsKnown(value) && !prior[name].IsNull() {
			now, _ := value.(interface{ ValueString() string })
			old, _ := prior[name].(interface{ ValueString() string })
			isSame = isSame || means(old.ValueString(), now.ValueString())
		}
		if isSame {
			values[name] = prior[name]
		}
	}
}

func saysNothing(v attr.Value) bool {
	if text, isJSON := v.(jsontypes.Normalized); isJSON {
		return IsEmptyJSON(text)
	}
	return IsEmpty(v)
}

// ResetClearedValues resets attributes that lost their value to PostHog's defaults, as if they were removed from a
// configuration.
func ResetClearedValues(values, prior, defaults map[string]attr.Value) {
	for name, reset := range defaults {
		if values[name].IsNull() && !prior[name].IsNull() {
			values[name] = reset
		}
	}
}

// MinimalConfig returns a resource's attribute values, with null for each attribute that a configuration can omit.
// These are the attributes that it cannot set and those that keep their value when omitted. MinimalConfig never omits
// the attributes in always.
func MinimalConfig(attributes map[string]schema.Attribute, values map[string]attr.Value, always ...string) map[string]attr.Value {
	minimal := make(map[string]attr.Value, len(values))
	for name, value := range values {
		minimal[name] = value
		a, isKnown := attributes[name]
		if !isKnown || !a.IsRequired() && !slices.Contains(always, name) && omittable(a, value) {
			minimal[name] = NullLike(value)
		}
	}
	return minimal
}

// omittable reports whether an attribute keeps its value when a configuration omits it.
func omittable(a schema.Attribute, value attr.Value) bool {
	if !a.IsOptional() {
		return true
	}
	modifiers, _ := AttributePlanning(a)
	omitted, ok := FindOmittedValue(modifiers)
	return !ok || omitted.Plan(value, value, false).Equal(value)
}

// AttributePlanning returns an attribute's plan modifiers and its default. The default is nil if there is none. All
// attribute types have fields with these names, but no interface provides access to them.
func AttributePlanning(a schema.Attribute) (modifiers []planmodifier.Describer, fallback any) {
	record := reflect.ValueOf(a)
	for _, modifier := range record.FieldByName("PlanModifiers").Seq2() {
		if described, ok := reflect.TypeAssert[planmodifier.Describer](modifier); ok {
			modifiers = append(modifiers, described)
		}
	}
	return modifiers, record.FieldByName("Default").Interface()
}

// FindOmittedValue finds the OmittedValue among plan modifiers.
func FindOmittedValue(modifiers []planmodifier.Describer) (OmittedValue, bool) {
	for _, modifier := range modifiers {
		if omitted, ok := modifier.(OmittedValue); ok {
			return omitted, true
		}
	}
	return OmittedValue{}, false
}

// NullLike returns the null value of a value's type.
//
//nolint:contextcheck // a type that is built into the provider needs no context
func NullLike(value attr.Value) attr.Value { return NullValue(value.Type(context.Background())) }

// NullValue returns the null value of a type.
func NullValue(typ attr.Type) attr.Value {
	ctx := context.Background()
	null, err := typ.ValueFromTerraform(ctx, tftypes.NewValue(typ.TerraformType(ctx), nil))
	if err != nil {
		panic(err) // every type has a null value
	}
	return null
}
