// Package providerdata has the data that the provider passes to every resource and data
// source: the client and the defaults, and the types to embed that receive them. It is not
// specific to a resource type.
package providerdata

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

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
