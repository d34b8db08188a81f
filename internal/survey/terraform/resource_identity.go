package terraform

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

type identityModel struct {
	ProjectID types.String `tfsdk:"project_id"`
	ID        types.String `tfsdk:"id"`
}

// IdentitySchema implements resource.ResourceWithIdentity.
func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"project_id": identityschema.StringAttribute{OptionalForImport: true, Description: "The project; the provider's when left out."},
		"id":         identityschema.StringAttribute{RequiredForImport: true, Description: "UUID of the survey."},
	}}
}

func identityOf(f survey.Fields) identityModel {
	return identityModel{ProjectID: f.ProjectID, ID: f.ID}
}
