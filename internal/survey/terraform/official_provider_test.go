package terraform_test

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// newOfficialProvider serves a stand-in for the provider posthog/posthog, which cannot be
// downloaded by tests: the type names that it has in common with this provider or that
// surveys refer to, with the schema of its surveys. It reaches no service.
func newOfficialProvider() tfprotov6.ProviderServer {
	return providerserver.NewProtocol6(officialProvider{})()
}

type officialProvider struct{}

func (officialProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "posthog"
}

func (officialProvider) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (officialProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (officialProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (officialProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		func() resource.Resource { return officialResource{"posthog_survey", officialSurveySchema()} },
		func() resource.Resource { return officialResource{"posthog_feature_flag", officialFlagSchema()} },
	}
}

// officialResource keeps what is planned, under an id of its own.
type officialResource struct {
	typeName string
	schema   schema.Schema
}

func (r officialResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = r.typeName
}

func (r officialResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.schema
}

func (officialResource) Create(_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = made(req.Plan.Raw)
}

func (officialResource) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (officialResource) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = made(req.Plan.Raw)
}

func (officialResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// made is a planned object with an id, and with null for whatever else is unknown.
func made(planned tftypes.Value) tftypes.Value {
	object, err := tftypes.Transform(planned, func(at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		switch {
		case value.IsKnown():
			return value, nil
		case at.Equal(tftypes.NewAttributePath().WithAttributeName("id")) && value.Type().Is(tftypes.Number):
			return tftypes.NewValue(tftypes.Number, 41), nil
		case at.Equal(tftypes.NewAttributePath().WithAttributeName("id")):
			return tftypes.NewValue(tftypes.String, "0190d6a4-7e1c-7b52-a3f0-00000000ffff"), nil
		}
		return tftypes.NewValue(value.Type(), nil), nil
	})
	if err != nil {
		panic(err) // nothing above fails
	}
	return object
}

func officialFlagSchema() schema.Schema {
	return schema.Schema{Attributes: map[string]schema.Attribute{
		"id":  schema.Int64Attribute{Computed: true},
		"key": schema.StringAttribute{Required: true},
	}}
}

func officialSurveySchema() schema.Schema {
	attributes := map[string]schema.Attribute{}
	for _, name := range officialAttributes {
		switch {
		case name == "archived" || strings.HasPrefix(name, "enable_"):
			attributes[name] = schema.BoolAttribute{Optional: true, Computed: true}
		case strings.HasSuffix(name, "_id") && name != "project_id", strings.HasSuffix(name, "_limit"), strings.HasSuffix(name, "_interval"),
			name == "iteration_count", name == "iteration_frequency_days":
			attributes[name] = schema.Int64Attribute{Optional: true, Computed: true}
		default:
			attributes[name] = schema.StringAttribute{Optional: true, Computed: true}
		}
	}
	return schema.Schema{Attributes: attributes}
}
