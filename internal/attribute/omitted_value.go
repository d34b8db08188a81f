package attribute

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Silence says what it means that a configuration does not mention an optional
// and computed attribute: the prior value stays when it amounts to nothing or is
// what the service fills in by itself; any other value is reset, so that taking
// an attribute out of a configuration has an effect.
//
// A new object's attribute is left to the service, except where the reset value
// is null: then the plan shows nothing.
type OmittedValue struct {
	reset   attr.Value
	isEmpty func(attr.Value) bool
}

// ResetTo returns the Silence of an attribute whose own value in the service, when
// nobody sets it, is reset.
func ResetTo(reset attr.Value) OmittedValue { return OmittedValue{reset: reset, isEmpty: IsEmpty} }

// ResetJSON returns the Silence of an attribute that holds JSON: it is cleared
// with null, and an empty object or list amounts to nothing.
func ResetJSON() OmittedValue { return OmittedValue{reset: types.StringNull(), isEmpty: isEmptyJSON} }

// IsNothing reports whether a value amounts to saying nothing: null, "", false or
// an empty collection.
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
	}
	return false
}

func isEmptyJSON(v attr.Value) bool {
	text, ok := v.(interface{ ValueString() string })
	if v.IsNull() || !ok {
		return v.IsNull()
	}
	switch text.ValueString() {
	case "{}", "[]", "null":
		return true
	}
	return false
}

// Settle returns the planned value of an attribute on which the configuration is
// silent; isNew says that there is no prior object.
func (s OmittedValue) Plan(planned, prior attr.Value, isNew bool) attr.Value {
	switch {
	case isNew && s.reset.IsNull():
		return s.reset
	case isNew:
		return planned
	case s.isEmpty(prior), prior.Equal(s.reset):
		return prior
	}
	return s.reset
}

// Description implements planmodifier.Describer.
func (s OmittedValue) Description(context.Context) string {
	return "Taken out of the configuration, it goes back to " + s.reset.String() + "."
}

// MarkdownDescription implements planmodifier.Describer.
func (s OmittedValue) MarkdownDescription(ctx context.Context) string { return s.Description(ctx) }

// PlanModifyString implements planmodifier.String.
func (s OmittedValue) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if req.ConfigValue.IsNull() {
		if v, ok := s.Plan(req.PlanValue, req.StateValue, req.State.Raw.IsNull()).(types.String); ok {
			resp.PlanValue = v
		}
	}
}

// PlanModifyBool implements planmodifier.Bool.
func (s OmittedValue) PlanModifyBool(_ context.Context, req planmodifier.BoolRequest, resp *planmodifier.BoolResponse) {
	if req.ConfigValue.IsNull() {
		if v, ok := s.Plan(req.PlanValue, req.StateValue, req.State.Raw.IsNull()).(types.Bool); ok {
			resp.PlanValue = v
		}
	}
}

// PlanModifyInt64 implements planmodifier.Int64.
func (s OmittedValue) PlanModifyInt64(_ context.Context, req planmodifier.Int64Request, resp *planmodifier.Int64Response) {
	if req.ConfigValue.IsNull() {
		if v, ok := s.Plan(req.PlanValue, req.StateValue, req.State.Raw.IsNull()).(types.Int64); ok {
			resp.PlanValue = v
		}
	}
}

// PlanModifyList implements planmodifier.List.
func (s OmittedValue) PlanModifyList(_ context.Context, req planmodifier.ListRequest, resp *planmodifier.ListResponse) {
	if req.ConfigValue.IsNull() {
		if v, ok := s.Plan(req.PlanValue, req.StateValue, req.State.Raw.IsNull()).(types.List); ok {
			resp.PlanValue = v
		}
	}
}
