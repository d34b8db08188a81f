package terraform

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

// ImportState implements resource.ResourceWithImportState: by project/id, by id
// alone, or by identity.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	wanted := identityModel{}
	if req.ID == "" && req.Identity != nil && !req.Identity.Raw.IsFullyNull() {
		resp.Diagnostics.Append(req.Identity.Get(ctx, &wanted)...)
	} else {
		project, id, both := strings.Cut(req.ID, "/")
		if !both {
			project, id = "", req.ID
		}
		wanted = identityModel{ProjectID: types.StringValue(project), ID: types.StringValue(id)}
	}

	if wanted.ProjectID.ValueString() == "" && r.Data != nil && !strings.Contains(req.ID, "/") {
		wanted.ProjectID = types.StringValue(r.ProjectID)
	}
	_, err := uuid.Parse(wanted.ID.ValueString())
	switch {
	case resp.Diagnostics.HasError():
		return
	case err != nil || len(wanted.ID.ValueString()) != 36 || strings.HasPrefix(req.ID, "/"):
		resp.Diagnostics.AddError(fmt.Sprintf("Could not import survey %q", req.ID+wanted.importName(req.ID)),
			"The import id of a survey is PROJECT/ID or ID, where ID is the survey's UUID, for example "+
				"1/018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d. The UUID is the last part of the survey's address in the web interface.")
		return
	case wanted.ProjectID.ValueString() == "":
		providerdata.MissingProject(&resp.Diagnostics)
		return
	}

	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("project_id"), wanted.ProjectID)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), wanted.ID)...)
	providerdata.SetIdentity(ctx, resp.Identity, wanted, &resp.Diagnostics)
}

// importName is the name of an object that is imported by identity, without an import id.
func (m identityModel) importName(id string) string {
	if id != "" {
		return ""
	}
	return m.ID.ValueString()
}
