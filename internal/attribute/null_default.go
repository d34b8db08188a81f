package attribute

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Null is the default of an optional attribute inside a nested object: null.
// Beside Computed it makes the framework neither mark the attribute unknown nor
// carry the prior value of the same place, and makes Terraform leave the line out
// of configuration that it generates.
type NullDefault struct{}

// Description implements defaults.Describer.
func (NullDefault) Description(context.Context) string { return "nothing" }

// MarkdownDescription implements defaults.Describer.
func (NullDefault) MarkdownDescription(context.Context) string { return "nothing" }

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

// NullOf is Null for attributes whose null needs to know what it would hold: the
// object type, or the type of the elements.
type NullDefaultOf struct {
	NullDefault
	Object types.ObjectType
	List   types.ListType
	Map    types.MapType
}

// DefaultObject implements defaults.Object.
func (n NullDefaultOf) DefaultObject(_ context.Context, _ defaults.ObjectRequest, resp *defaults.ObjectResponse) {
	resp.PlanValue = types.ObjectNull(n.Object.AttrTypes)
}

// DefaultList implements defaults.List.
func (n NullDefaultOf) DefaultList(_ context.Context, _ defaults.ListRequest, resp *defaults.ListResponse) {
	resp.PlanValue = types.ListNull(n.List.ElemType)
}

// DefaultMap implements defaults.Map.
func (n NullDefaultOf) DefaultMap(_ context.Context, _ defaults.MapRequest, resp *defaults.MapResponse) {
	resp.PlanValue = types.MapNull(n.Map.ElemType)
}
