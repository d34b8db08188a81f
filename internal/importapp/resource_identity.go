package importapp

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

type identityModel struct {
	OrganizationID types.String `tfsdk:"organization_id"`
	ID             types.Int64  `tfsdk:"id"`
}

// IdentitySchema implements resource.ResourceWithIdentity.
func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"organization_id": identityschema.StringAttribute{OptionalForImport: true, Description: "The organization; the provider's when left out."},
		"id":              identityschema.Int64Attribute{RequiredForImport: true, Description: "Number of the app."},
	}}
}

// setIdentity must run in create, read and update, even when the read finds nothing:
// it is checked after each, and older Terraforms do not carry it over.
func setIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, m Fields, diags *diag.Diagnostics) {
	if identity != nil {
		diags.Append(identity.Set(ctx, identityModel{OrganizationID: m.OrganizationID, ID: m.ID})...)
	}
}
