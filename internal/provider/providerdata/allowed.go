package providerdata

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// CheckProject refuses a project that is not allowed at plan, before anything of it is read.
// What is known only after apply is checked then, by the client.
func (d *Data) CheckProject(id types.String, diags *diag.Diagnostics) {
	if d != nil && id.ValueString() != "" {
		refuse(path.Root("project_id"), d.Allowed.Project(id.ValueString()), diags)
	}
}

// CheckOrganization is CheckProject for an organization.
func (d *Data) CheckOrganization(id types.String, diags *diag.Diagnostics) {
	if d != nil && id.ValueString() != "" {
		refuse(path.Root("organization_id"), d.Allowed.Organization(id.ValueString()), diags)
	}
}

func refuse(at path.Path, err *client.NotAllowedError, diags *diag.Diagnostics) {
	if err == nil {
		return
	}
	diags.AddAttributeError(at, fmt.Sprintf("The %s %s is not allowed", err.Parent, err.ID),
		fmt.Sprintf("%s. Nothing is sent. Check which environment this run is for, or add the id to %s if it is meant.", err, err.Setting))
}
