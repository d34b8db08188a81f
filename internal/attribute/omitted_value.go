package attribute

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// OmittedValue is the plan modifier of an optional and computed attribute that the
// configuration omits: an empty prior value, and the one that is the service's default,
// are kept; any other is reset, so that removing an attribute from a configuration has
// an effect.
//
// The attribute of a new object is left to the service, unless the reset value is null:
// then the plan shows null in place of an unknown value.
type OmittedValue struct {
	reset   attr.Value
	isEmpty func(attr.Value) bool
}

// ResetTo returns the OmittedValue of an attribute whose default in the service is
// reset.
func ResetTo(reset attr.Value) OmittedValue { return OmittedValue{reset: reset, isEmpty: IsEmpty} }

// ResetJSON returns the OmittedValue of an attribute that holds JSON: it is cleared with
// null, and what [jsonvalue.IsEmpty] says is empty counts as that: an object of nulls, too.
func ResetJSON() OmittedValue { return OmittedValue{reset: types.StringNull(), isEmpty: isEmptyJSON} }

// ResetJSONTo returns the OmittedValue of an attribute that holds JSON and whose default
// in the service is reset, JSON text. Null and what [jsonvalue.IsEmpty] says is empty count as that.
func ResetJSONTo(reset string) OmittedValue {
	isEmpty := func(v attr.Value) bool {
		text, ok := v.(interface{ ValueString() string })
		return isEmptyJSON(v) || ok && SameJSON(text.ValueString(), reset)
	}

	return OmittedValue{reset: types.StringValue(reset), isEmpty: isEmpty}
}

// IsEmpty reports whether a value is null, "", false or an empty collection. The number
// 0 is a value.
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

// isEmptyJSON is [IsEmpty] of a value that holds JSON.
func isEmptyJSON(v attr.Value) bool {
	text, ok := v.(interface{ ValueString() string })
	if v.IsNull() || v.IsUnknown() || !ok {
		return v.IsNull()
	}
	return jsonvalue.IsEmpty(jsonvalue.Text(text.ValueString()))
}

// Plan returns the planned value of an attribute that the configuration omits; isNew
// reports that there is no prior object.
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
	return "Removed from the configuration, it goes back to " + o.reset.String() + "."
}

// MarkdownDescription implements planmodifier.Describer.
func (o OmittedValue) MarkdownDescription(ctx context.Context) string { return o.Description(ctx) }

// PlanModifyString implements planmodifier.String.
func (o OmittedValue) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if req.ConfigValue.IsNull() {
		if v, ok := o.Plan(req.PlanValue, req.StateValue, req.State.Raw.IsNull()).(types.String); ok {
			resp.PlanValue = v
		}
	}
}

// PlanModifyBool implements planmodifier.Bool.
func (o OmittedValue) PlanModifyBool(_ context.Context, req planmodifier.BoolRequest, resp *planmodifier.BoolResponse) {
	if req.ConfigValue.IsNull() {
		if v, ok := o.Plan(req.PlanValue, req.StateValue, req.State.Raw.IsNull()).(types.Bool); ok {
			resp.PlanValue = v
		}
	}
}

// PlanModifyInt64 implements planmodifier.Int64.
func (o OmittedValue) PlanModifyInt64(_ context.Context, req planmodifier.Int64Request, resp *planmodifier.Int64Response) {
	if req.ConfigValue.IsNull() {
		if v, ok := o.Plan(req.PlanValue, req.StateValue, req.State.Raw.IsNull()).(types.Int64); ok {
			resp.PlanValue = v
		}
	}
}

// PlanModifyList implements planmodifier.List.
func (o OmittedValue) PlanModifyList(_ context.Context, req planmodifier.ListRequest, resp *planmodifier.ListResponse) {
	if req.ConfigValue.IsNull() {
		if v, ok := o.Plan(req.PlanValue, req.StateValue, req.State.Raw.IsNull()).(types.List); ok {
			resp.PlanValue = v
		}
	}
}
