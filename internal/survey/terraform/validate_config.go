package terraform

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

var _ resource.ResourceWithValidateConfig = (*Resource)(nil)

// ValidateConfig implements resource.ResourceWithValidateConfig. It refuses what no state
// can make right, and warns of what a plan refuses unless the state holds it: terraform
// validate knows no state, and what the service holds is never refused.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	config := modelOf(ctx, req.Config.Raw, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}

	var found check.Findings
	if check.MissingValues(config.Questions, &found) {
		check.Extra(config.Fields, &found)
		if r.Data == nil { // a configured provider plans next, with the state
			found = append(found, check.WithoutState(config.Fields)...)
		}
	}
	found.Report(config.Name, &resp.Diagnostics)
}
