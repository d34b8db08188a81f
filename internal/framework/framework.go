// Package framework is what both resources stand on: the data that the provider passes to
// resources, data sources and actions, the frames of what they have in common, diagnostics for
// errors of the service, its activity feed, and the data sources for what surveys refer to. It
// knows neither surveys nor import apps.
package framework

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// Data is the configured provider.
type Data struct {
	// Client is nil while the provider's configuration is not known yet.
	Client *client.Client
	// ProjectID and OrganizationID are the defaults; empty when not set.
	ProjectID, OrganizationID string
	// Allowed are the projects and organizations that requests may be about.
	Allowed client.Allowed
	// Now is the clock for the dates of a launch or a stop.
	Now func() time.Time
	// Existing are the objects that this run has read or planned. Each resource has its own
	// types of keys and values.
	Existing sync.Map
}

// Ready reports whether requests can be made, and adds an error if not.
func (d *Data) Ready(diags *diag.Diagnostics) bool {
	if d != nil && d.Client != nil {
		return true
	}

	diags.AddError("The provider is not configured yet",
		"base_url, api_key or another argument of the provider block depends on a value that is only known after apply, "+
			"and this operation needs it now. Apply what the value depends on first (terraform apply -target=...), "+
			"or give the provider block a value that is known at plan.")
	return false
}

// Resource is embedded by every resource: it receives Data.
type Resource struct{ *Data }

// Configure implements resource.ResourceWithConfigure.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.Data = receive(req.ProviderData, &resp.Diagnostics)
}

// DataSource is embedded by every data source: it receives Data.
type DataSource struct{ *Data }

// Configure implements datasource.DataSourceWithConfigure.
func (d *DataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.Data = receive(req.ProviderData, &resp.Diagnostics)
}

// Action is embedded by every action: it receives Data.
type Action struct{ *Data }

// Configure implements action.ActionWithConfigure.
func (a *Action) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	a.Data = receive(req.ProviderData, &resp.Diagnostics)
}

// receive is given nil before the provider is configured, while Terraform
// validates; nothing reads Data then.
func receive(given any, diags *diag.Diagnostics) *Data {
	if given == nil {
		return nil
	}

	data, ok := given.(*Data)
	if !ok {
		diags.AddError("Unexpected provider data",
			fmt.Sprintf("Expected %T, got %T. This is a fault of the provider: please report it.", data, given))
	}
	return data
}

// SetIdentity sets the identity of an object. It must run in create, read and update, even
// for an object that is gone: Terraform checks the identity after each, and a CLI without
// identities keeps none.
func SetIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, model any, diags *diag.Diagnostics) {
	if identity != nil {
		diags.Append(identity.Set(ctx, model)...)
	}
}

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
