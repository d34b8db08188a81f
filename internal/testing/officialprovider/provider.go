// Package officialprovider is for tests: a stand-in for the provider posthog/posthog, which
// tests cannot download. It has the type names and the attributes of its surveys and of what
// surveys stand beside; it reaches no service.
package officialprovider

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Source is the source of the provider in a configuration.
const Source = "posthog/posthog"

// New serves the stand-in to one run of Terraform.
func New() tfprotov6.ProviderServer {
	return providerserver.NewProtocol6(officialProvider{})()
}

// Serve serves the stand-in as a program that Terraform starts. It returns when Terraform
// ends it.
func Serve(ctx context.Context) error {
	return providerserver.Serve(ctx, func() provider.Provider { return officialProvider{} },
		providerserver.ServeOpts{Address: "registry.terraform.io/" + Source})
}

type officialProvider struct{}

func (officialProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "posthog"
}

func (officialProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = providerschema.Schema{Attributes: map[string]providerschema.Attribute{
		"host":            providerschema.StringAttribute{Optional: true},
		"api_key":         providerschema.StringAttribute{Optional: true, Sensitive: true},
		"project_id":      providerschema.StringAttribute{Optional: true},
		"organization_id": providerschema.StringAttribute{Optional: true},
	}}
}

func (officialProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (officialProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (officialProvider) Resources(context.Context) []func() resource.Resource {
	var constructors []func() resource.Resource
	for typeName, attributes := range map[string]map[string]schema.Attribute{
		"posthog_survey":           survey(),
		"posthog_feature_flag":     featureFlag(),
		"posthog_cohort":           cohort(),
		"posthog_hog_function":     hogFunction(),
		"posthog_project_settings": projectSettings(),
	} {
		constructors = append(constructors, func() resource.Resource {
			return officialResource{typeName, schema.Schema{Attributes: attributes}}
		})
	}
	return constructors
}

// What the stand-in creates has these ids: flags and cohorts the number, all else the UUID. A
// test server that is to know them has them in its fixtures.
const (
	ID   = 41
	UUID = "0190d6a4-7e1c-7b52-a3f0-00000000ffff"
)

// officialResource keeps what is planned, under an id.
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
			return tftypes.NewValue(tftypes.Number, ID), nil
		case at.Equal(tftypes.NewAttributePath().WithAttributeName("id")):
			return tftypes.NewValue(tftypes.String, UUID), nil
		}
		return tftypes.NewValue(value.Type(), nil), nil
	})
	if err != nil {
		panic(err) // nothing above fails
	}
	return object
}

// SurveyAttributes are all attributes of the survey of posthog/posthog v1.0.13.
var SurveyAttributes = []string{
	"id", "project_id", "name", "description", "type", "schedule",
	"linked_flag_id", "linked_insight_id", "targeting_flag_id", "targeting_flag_filters_json",
	"questions_json", "conditions_json", "appearance_json",
	"start_date", "end_date", "archived", "responses_limit", "iteration_count", "iteration_frequency_days",
	"response_sampling_start_date", "response_sampling_interval_type", "response_sampling_interval",
	"response_sampling_limit", "response_sampling_daily_limits_json",
	"enable_partial_responses", "enable_iframe_embedding", "translations_json", "create_in_folder", "form_content_json",
	"created_at", "created_by_json", "linked_flag_json", "targeting_flag_json", "internal_targeting_flag_json",
}

func survey() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{}
	for _, name := range SurveyAttributes {
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
	return attributes
}

func featureFlag() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":                           numericID(),
		"project_id":                   schema.StringAttribute{Optional: true, Computed: true},
		"key":                          schema.StringAttribute{Required: true},
		"name":                         schema.StringAttribute{Optional: true, Computed: true},
		"active":                       schema.BoolAttribute{Optional: true, Computed: true},
		"ensure_experience_continuity": schema.BoolAttribute{Optional: true, Computed: true},
		"filters":                      schema.StringAttribute{Optional: true, Computed: true},
		"rollout_percentage":           schema.Int64Attribute{Optional: true, Computed: true},
		"tags":                         schema.SetAttribute{Optional: true, ElementType: types.StringType},
		"deleted":                      schema.BoolAttribute{Optional: true, Computed: true},
	}
}

func cohort() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":          numericID(),
		"project_id":  schema.StringAttribute{Optional: true, Computed: true},
		"name":        schema.StringAttribute{Required: true},
		"description": schema.StringAttribute{Optional: true, Computed: true},
		"filters":     schema.StringAttribute{Optional: true, Computed: true},
		"is_static":   schema.BoolAttribute{Optional: true, Computed: true},
		"created_at":  schema.StringAttribute{Computed: true},
		"deleted":     schema.BoolAttribute{Optional: true, Computed: true},
	}
}

// projectSettings are settings of a project; those that are left out keep the values that they
// have on the service.
func projectSettings() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{
		"id":                          schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
		"project_id":                  schema.StringAttribute{Optional: true, Computed: true},
		"cookieless_server_hash_mode": schema.Int64Attribute{Optional: true, Computed: true},
		"test_account_filters":        schema.StringAttribute{Optional: true, Computed: true},
		"session_recording_network_payload_capture_config": schema.SingleNestedAttribute{
			Optional: true,
			Computed: true,
			Attributes: map[string]schema.Attribute{
				"record_headers": schema.BoolAttribute{Required: true},
				"record_body":    schema.BoolAttribute{Required: true},
			},
		},
	}

	for _, name := range []string{"app_urls", "recording_domains"} {
		attributes[name] = schema.ListAttribute{ElementType: types.StringType, Optional: true, Computed: true}
	}
	for _, name := range []string{
		"surveys_opt_in", "heatmaps_opt_in", "autocapture_exceptions_opt_in", "autocapture_web_vitals_opt_in",
		"session_recording_opt_in", "capture_performance_opt_in", "anonymize_ips", "test_account_filters_default_checked",
	} {
		attributes[name] = schema.BoolAttribute{Optional: true, Computed: true}
	}
	return attributes
}

func hogFunction() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{
		"id":                    schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
		"sensitive_inputs_json": schema.StringAttribute{Optional: true, Sensitive: true},
		"enabled":               schema.BoolAttribute{Optional: true, Computed: true},
		"execution_order":       schema.Int64Attribute{Optional: true, Computed: true},
	}
	for _, name := range []string{"name", "description", "inputs_json", "filters_json", "masking_json", "mappings_json", "template_id"} {
		attributes[name] = schema.StringAttribute{Optional: true}
	}
	for _, name := range []string{"project_id", "type", "hog", "icon_url", "inputs_schema_json"} {
		attributes[name] = schema.StringAttribute{Optional: true, Computed: true}
	}
	return attributes
}

// numericID is the id of a flag or of a cohort, which an update keeps.
func numericID() schema.Attribute {
	return schema.Int64Attribute{Computed: true, PlanModifiers: []planmodifier.Int64{int64planmodifier.UseStateForUnknown()}}
}
