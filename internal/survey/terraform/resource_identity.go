package terraform

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
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

// setIdentity must run in create, read and update, even for a survey that is gone:
// Terraform checks the identity after each, and a CLI without identities keeps none.
func setIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, f survey.Fields, diags *diag.Diagnostics) {
	if identity != nil {
		diags.Append(identity.Set(ctx, identityModel{ProjectID: f.ProjectID, ID: f.ID})...)
	}
}
