package importapp

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
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

func identityOf(f Fields) identityModel {
	return identityModel{OrganizationID: f.OrganizationID, ID: f.ID}
}
