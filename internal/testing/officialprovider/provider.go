// Package officialprovider is a test double of the provider posthog/posthog, which tests cannot
// download. Its resources have the types and attributes that migrations read. It sends no requests.
package officialprovider

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Source is the source of the provider in a configuration.
const Source = "posthog/posthog"

// New returns a stand-in provider for one Terraform run.
func New() tfprotov6.ProviderServer {
	return providerserver.NewProtocol6(idleProvider(Resources))()
}

// Serve serves resources that exist only in a state, as a provider program that Terraform starts. It returns when
// Terraform stops it.
func Serve(ctx context.Context, resources map[string]schema.Schema) error {
	return providerserver.Serve(ctx, func() provider.Provider { return idleProvider(resources) },
		providerserver.ServeOpts{Address: "registry.terraform.io/" + Source})
}

// idleProvider maps resource types to schemas.
type idleProvider map[string]schema.Schema

func (idleProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "posthog"
}

func (idleProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = providerschema.Schema{Attributes: map[string]providerschema.Attribute{
		"host":            providerschema.StringAttribute{Optional: true},
		"api_key":         providerschema.StringAttribute{Optional: true, Sensitive: true},
		"project_id":      providerschema.StringAttribute{Optional: true},
		"organization_id": providerschema.StringAttribute{Optional: true},
	}}
}

func (idleProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (idleProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (p idleProvider) Resources(context.Context) []func() resource.Resource {
	var constructors []func() resource.Resource
	for typeName, described := range p {
		constructors = append(constructors, func() resource.Resource { return idleResource{typeName, described} })
	}
	return constructors
}

// IDs of objects that the stand-in creates: the number for flags and cohorts, and the UUID for all other
// objects. If a test server must know these objects, its fixtures contain them.
const (
	ID   = 41
	UUID = "0190d6a4-7e1c-7b52-a3f0-00000000ffff"
)

// idleResource stores planned values and assigns an ID.
type idleResource struct {
	typeName string
	schema   schema.Schema
}

func (r idleResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = r.typeName
}

func (r idleResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.schema
}

func (idleResource) Create(_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = create(req.Plan.Raw)
}

func (idleResource) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (idleResource) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = create(req.Plan.Raw)
}

func (idleResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// create returns the planned object with an ID. Other unknown values become null.
func create(planned tftypes.Value) tftypes.Value {
	object, err := tftypes.Transform(planned, func(path *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		switch {
		case value.IsKnown():
			return value, nil
		case path.Equal(tftypes.NewAttributePath().WithAttributeName("id")) && value.Type().Is(tftypes.Number):
			return tftypes.NewValue(tftypes.Number, ID), nil
		case path.Equal(tftypes.NewAttributePath().WithAttributeName("id")):
			return tftypes.NewValue(tftypes.String, UUID), nil
		}
		return tftypes.NewValue(value.Type(), nil), nil
	})
	if err != nil {
		panic(err) // the functions above cannot fail
	}
	return object
}

// SurveyAttributes are all attributes of the survey resource in posthog/posthog v1.0.13.
var SurveyAttributes = slices.Sorted(maps.Keys(Resources["posthog_survey"].Attributes))

// Resources maps resource types to the stand-in's schemas. PostHog may set attributes that a configuration omits.
var Resources = map[string]schema.Schema{
	"posthog_survey": {Attributes: attributes(
		`id project_id name description type schedule targeting_flag_filters_json questions_json conditions_json appearance_json
		start_date end_date response_sampling_start_date response_sampling_interval_type response_sampling_daily_limits_json
		translations_json create_in_folder form_content_json created_at created_by_json linked_flag_json targeting_flag_json
		internal_targeting_flag_json`,
		`linked_flag_id linked_insight_id targeting_flag_id responses_limit iteration_count iteration_frequency_days
		response_sampling_interval response_sampling_limit`,
		"archived enable_partial_responses enable_iframe_embedding")},
	"posthog_feature_flag": {Attributes: attributes(
		"project_id key name filters", "id rollout_percentage", "active ensure_experience_continuity deleted")},
	"posthog_cohort": {Attributes: attributes(
		"project_id name description filters created_at", "id", "is_static deleted")},
	"posthog_dashboard": {Attributes: attributes("project_id name description", "id", "pinned deleted")},
	"posthog_insight": {Attributes: withNumbers("dashboard_ids", attributes(
		"project_id name derived_name description query_json", "id", "deleted"))},
	"posthog_hog_function": {Attributes: attributes(
		`id project_id name description type hog icon_url inputs_schema_json inputs_json sensitive_inputs_json filters_json masking_json
		mappings_json template_id`, "execution_order", "enabled")},
	"posthog_project_settings": {Attributes: attributes(
		"id project_id test_account_filters", "cookieless_server_hash_mode",
		`surveys_opt_in heatmaps_opt_in autocapture_exceptions_opt_in autocapture_web_vitals_opt_in session_recording_opt_in
		capture_performance_opt_in anonymize_ips test_account_filters_default_checked`)},
}

// attributes returns attributes with the given names, by the types of their values.
func attributes(texts, numbers, booleans string) map[string]schema.Attribute {
	result := map[string]schema.Attribute{}
	for name := range strings.FieldsSeq(texts) {
		result[name] = schema.StringAttribute{Optional: true, Computed: true}
	}
	for name := range strings.FieldsSeq(numbers) {
		result[name] = schema.Int64Attribute{Optional: true, Computed: true}
	}
	for name := range strings.FieldsSeq(booleans) {
		result[name] = schema.BoolAttribute{Optional: true, Computed: true}
	}
	return result
}

// withNumbers adds an attribute that is a list of numbers.
func withNumbers(name string, attributes map[string]schema.Attribute) map[string]schema.Attribute {
	attributes[name] = schema.ListAttribute{Optional: true, Computed: true, ElementType: types.Int64Type}
	return attributes
}
