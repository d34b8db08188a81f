package terraform

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// UpgradeState implements resource.ResourceWithUpgradeState. No release of this provider
// wrote version 0: such a state comes from posthog/posthog, by terraform state
// replace-provider.
func (r *Resource) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	return map[int64]resource.StateUpgrader{officialVersion: {StateUpgrader: r.upgradeOfficial}}
}

func (r *Resource) upgradeOfficial(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
	converted := r.fromOfficialState(ctx, req.RawState.JSON, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() {
		attribute.Encode(ctx, converted, surveyschema.ObjectType(), &resp.State.Raw, &resp.Diagnostics)
	}
}
