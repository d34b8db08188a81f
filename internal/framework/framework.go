// Package framework contains the code that surveys and import apps share: the data that the
// provider passes to resources, data sources, and actions; their common implementation; diagnostics
// for PostHog errors; activity feeds; and the data sources for flags, cohorts, and projects.
//
// It must not depend on surveys or import apps. Start at Data and Attempt.
package framework

import (
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// Data is the configured provider.
type Data struct {
	// Client is nil until the provider's configuration is known.
	Client *client.Client
	// ProjectID and OrganizationID are the defaults. They are empty if not set.
	ProjectID, OrganizationID string
	// Allowed contains the projects and organizations that requests may access.
	Allowed client.Allowed
	// Now is the clock for launch and stop dates.
	Now func() time.Time
	// Existing contains the objects that this run has read or planned. Each resource has its own key and value types.
	Existing sync.Map
}

// Ready reports whether requests can be made. If not, it adds an error.
func (d *Data) Ready(diags *diag.Diagnostics) bool {
	if d != nil && d.Client != nil {
		return true
	}

	diags.AddError("The provider is not configured yet",
		"base_url, api_key, or another argument of the provider block depends on a value that is known only after apply, "+
			"but this operation needs it now. First apply the resources that the value depends on (terraform apply -target=...), "+
			"or use a value that is known during the plan.")
	return false
}

// AttributePaths returns the paths of all attributes in a schema. PostHog uses the same names in errors.
func AttributePaths(s schema.Schema) map[string]path.Path {
	paths := map[string]path.Path{}
	for name := range s.Attributes {
		paths[name] = path.Root(name)
	}
	return paths
}

// receive returns nil before the provider is configured, as during validation. Data is not used then.
func receive(providerData any, diags *diag.Diagnostics) *Data {
	if providerData == nil {
		return nil
	}

	data, ok := providerData.(*Data)
	if !ok {
		diags.AddError("Unexpected provider data",
			fmt.Sprintf("Expected %T, got %T. This is a bug in the provider; please report it.", data, providerData))
	}
	return data
}
