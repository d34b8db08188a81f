package attribute

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
)

// EquivalentInPlace marks a string in the objects of a list, for those that read the schema:
// the resource plans no change for one that means what the prior state holds at the same
// place. By itself it does nothing, since it does not know which prior object an
// element belongs to.
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
