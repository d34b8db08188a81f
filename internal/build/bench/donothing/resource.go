package donothing

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// idle is a resource that exists in the state alone.
type idle struct{ schema schema.Schema }

// Metadata implements resource.Resource.
func (idle) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_survey"
}

// Schema implements resource.Resource.
func (i idle) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = i.schema
}

// Create implements resource.Resource.
func (idle) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var err error
	if resp.State.Raw, err = withoutUnknowns(req.Plan); err != nil {
		resp.Diagnostics.AddError("The plan cannot be copied", err.Error())
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), "made")...)
}

// Read implements resource.Resource. The framework hands the prior state on.
func (idle) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

// Update implements resource.Resource.
func (idle) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var err error
	if resp.State.Raw, err = withoutUnknowns(req.Plan); err != nil {
		resp.Diagnostics.AddError("The plan cannot be copied", err.Error())
	}
}

// Delete implements resource.Resource. The framework empties the state.
func (idle) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// withoutUnknowns is the plan with null for everything that only a service could fill in.
func withoutUnknowns(plan tfsdk.Plan) (tftypes.Value, error) {
	return tftypes.Transform(plan.Raw, func(_ *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		if value.IsKnown() {
			return value, nil
		}
		return tftypes.NewValue(value.Type(), nil), nil
	})
}
