// Package donothing holds two providers that have the resource posthog_survey and
// talk to no service: what a plan costs with them is what the framework costs. One
// has the schema of the real resource, the other keeps questions as JSON text.
//
// Nothing here checks, repairs or compares a value; whatever does belongs to the
// real provider.
package donothing

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// Typed is the provider whose surveys have every attribute of the real resource,
// nested questions included, as the framework's plain types.
func Typed(ctx context.Context, of resource.Resource) (provider.Provider, error) {
	var described resource.SchemaResponse
	of.Schema(ctx, resource.SchemaRequest{}, &described)
	plain, err := strip(described.Schema)
	return nothing{plain}, err
}

// JSONText is the provider whose surveys keep questions, conditions, appearance and
// the like as strings of JSON.
func JSONText() provider.Provider { return nothing{jsonTextSchema()} }

type nothing struct{ survey schema.Schema }

// Metadata implements provider.Provider.
func (nothing) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "posthog"
}

// Schema implements provider.Provider.
func (nothing) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

// Configure implements provider.Provider.
func (nothing) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

// DataSources implements provider.Provider.
func (nothing) DataSources(context.Context) []func() datasource.DataSource { return nil }

// Resources implements provider.Provider.
func (n nothing) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return idle{n.survey} }}
}
