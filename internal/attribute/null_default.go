package attribute

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// NullDefault is the default null of an optional attribute inside a nested object.
// Together with Computed it keeps the framework from marking the attribute unknown and
// from carrying over the prior value at the same index, and makes Terraform omit the
// attribute from configuration that it generates.
type NullDefault struct {
	// KeepsEmpty tells those that read the schema that the plan of the object keeps a prior
	// "", false or empty list when the configuration omits the attribute.
	KeepsEmpty bool
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

// NullDefaultOf is NullDefault for attributes whose null needs a type: that of the object,
// or of the elements.
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
