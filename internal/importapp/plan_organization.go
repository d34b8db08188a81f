package importapp

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

// planOrganization plans the organization of an app whose configuration leaves it
// to the provider. A provider that names another organization than before moves
// nothing: a changed environment variable must not destroy apps.
func (r *Resource) planOrganization(config Fields, planned *Fields, prior Fields, diags *diag.Diagnostics) {
	if !config.OrganizationID.IsNull() {
		return
	}

	organization := ""
	if r.Data != nil {
		organization = r.OrganizationID
	}

	switch {
	case !prior.OrganizationID.IsNull():
		planned.OrganizationID = prior.OrganizationID
		if organization != "" && organization != prior.OrganizationID.ValueString() {
			// One title for all apps, so that Terraform folds the warnings of one cause.
			diags.AddAttributeWarning(path.Root("organization_id"), fmt.Sprintf("The provider's organization is %s, and import apps stay in organization %s", organization, prior.OrganizationID.ValueString()),
				fmt.Sprintf("The provider's organization is %s, but the import app %s is in organization %s and stays there. "+
					"To move it, set organization_id in the resource: that replaces the app.",
					organization, displayName(prior), prior.OrganizationID.ValueString()))
		}
	case organization != "":
		planned.OrganizationID = types.StringValue(organization)
	case r.Data == nil || r.Client == nil:
		planned.OrganizationID = types.StringUnknown()
	default:
		providerdata.MissingOrganization(diags)
	}
}
