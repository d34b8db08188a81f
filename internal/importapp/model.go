// Package importapp has the resource and the data sources of pipeline import apps: schema,
// model, mapping to and from the API, and plans. How requests are made is up to
// internal/client; what is not about import apps is in internal/attribute.
package importapp

import (
	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Fields are the attributes of an import app that a response of the service sets, in the
// resource and in the data sources.
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

// isImported reports whether a state holds only what an import sets, before the first read.
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
	// Timeouts bound the operations; they are not sent.
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}
