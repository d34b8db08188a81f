package attribute

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
)

// Equivalent is the plan modifier that plans no change for a string that means what
// the prior state holds, as the function judges it. Terraform lets a provider plan the
// prior value in place of a configured one for this purpose.
type Equivalent func(prior, configured string) bool

// Description implements planmodifier.Describer.
func (Equivalent) Description(context.Context) string {
	return "Another spelling of the same value is no change."
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
