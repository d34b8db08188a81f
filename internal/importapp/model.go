// Package importapp is the resource and the data sources of pipeline import apps:
// schema, model, the way to the wire and back, what a plan means. HTTP policy stays
// in internal/client, what is not about import apps in internal/attribute.
package importapp

import (
	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Fields is what an answer of the service fills of an import app, in the resource and
// in the data sources alike.
type Fields struct {
	ID                            types.Int64          `tfsdk:"id"`
	OrganizationID                types.String         `tfsdk:"organization_id"`
	PluginType                    types.String         `tfsdk:"plugin_type"`
	Name                          types.String         `tfsdk:"name"`
	Description                   types.String         `tfsdk:"description"`
	URL                           types.String         `tfsdk:"url"`
	Icon                          types.String         `tfsdk:"icon"`
	ConfigSchema                  jsontypes.Normalized `tfsdk:"config_schema"`
	Tag                           types.String         `tfsdk:"tag"`
	LatestTag                     types.String         `tfsdk:"latest_tag"`
	IsGlobal                      types.Bool           `tfsdk:"is_global"`
	OrganizationName              types.String         `tfsdk:"organization_name"`
	Capabilities                  jsontypes.Normalized `tfsdk:"capabilities"`
	Metrics                       jsontypes.Normalized `tfsdk:"metrics"`
	PublicJobs                    jsontypes.Normalized `tfsdk:"public_jobs"`
	HogFunctionMigrationAvailable types.String         `tfsdk:"hog_function_migration_available"`
}

// isImported reports whether a state holds what an import puts there and nothing
// that a read has filled in yet.
func (m Fields) isImported() bool {
	return m == Fields{ID: m.ID, OrganizationID: m.OrganizationID}
}

// Model is an import app as configuration, plan and state of the resource hold it.
type Model struct {
	Fields
	// URLQuery is sent behind the url when the app is created, and never returned.
	URLQuery types.String `tfsdk:"url_query"`
	// URLQueryWO is the same, for a configuration alone: null in every plan and state.
	URLQueryWO        types.String `tfsdk:"url_query_wo"`
	URLQueryWOVersion types.Int64  `tfsdk:"url_query_wo_version"`
	// Timeouts bound the operations; the service hears nothing of them.
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}
