package providerdata

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Project returns the configured project or, where there is none, that of the provider. It
// reports false, with an error, if neither is set.
func (d *Data) Project(configured types.String, diags *diag.Diagnostics) (types.String, bool) {
	return orDefault(configured, d.ProjectID, MissingProject, diags)
}

// Organization returns the configured organization or, where there is none, that of the
// provider. It reports false, with an error, if neither is set.
func (d *Data) Organization(configured types.String, diags *diag.Diagnostics) (types.String, bool) {
	return orDefault(configured, d.OrganizationID, MissingOrganization, diags)
}

func orDefault(configured types.String, provided string, missing func(*diag.Diagnostics), diags *diag.Diagnostics) (types.String, bool) {
	if configured.ValueString() != "" {
		return configured, true
	}
	if provided == "" {
		missing(diags)
		return configured, false
	}
	return types.StringValue(provided), true
}

// MissingProject reports that no project is configured, and where to set one.
func MissingProject(diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("project_id"), "Missing project",
		"A survey belongs to a project. Set project_id here or in the provider block, or the environment variable POSTHOG_PROJECT_ID.")
}

// MissingOrganization reports that no organization is configured, and where to set one.
func MissingOrganization(diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root("organization_id"), "Missing organization",
		"An import app belongs to an organization. Set organization_id here or in the provider block, or the environment variable POSTHOG_ORGANIZATION_ID.")
}
