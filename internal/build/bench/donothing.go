package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// nothing is a provider with the resource posthog_survey that talks to no service: what a plan
// costs with it is what the framework costs. Nothing here checks, repairs or compares a value;
// whatever does belongs to the real provider.
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

// idle is a resource that exists in the state alone.
type idle struct{ schema schema.Schema }

// Metadata implements resource.Resource.
func (idle) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_survey"
}

// Schema implements resource.Resource.
func (i idle) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = i.schema
}

// Create implements resource.Resource.
func (idle) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.Diagnostics.Append(copyPlan(ctx, req.Plan, &resp.State)...)
}

// Read implements resource.Resource. The framework hands the prior state on.
func (idle) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

// Update implements resource.Resource.
func (idle) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.Diagnostics.Append(copyPlan(ctx, req.Plan, &resp.State)...)
}

// Delete implements resource.Resource. The framework empties the state.
func (idle) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// copyPlan stores the plan, with null for everything that only a service could fill in.
func copyPlan(ctx context.Context, plan tfsdk.Plan, state *tfsdk.State) (diags diag.Diagnostics) {
	var err error
	state.Raw, err = tftypes.Transform(plan.Raw, func(_ *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		if value.IsKnown() {
			return value, nil
		}
		return tftypes.NewValue(value.Type(), nil), nil
	})
	if err != nil {
		diags.AddError("The plan cannot be copied", err.Error())
		return diags
	}
	return state.SetAttribute(ctx, path.Root("id"), "made")
}

// jsonTextSchema has as many attributes, of the same kinds, as a survey has in the
// official provider.
func jsonTextSchema() schema.Schema {
	attributes := map[string]schema.Attribute{
		"name":           schema.StringAttribute{Required: true},
		"type":           schema.StringAttribute{Required: true},
		"questions_json": schema.StringAttribute{Required: true},
	}

	for _, name := range []string{
		"appearance_json", "conditions_json", "create_in_folder", "description", "end_date", "form_content_json", "project_id",
		"response_sampling_daily_limits_json", "response_sampling_interval_type", "response_sampling_start_date", "schedule",
		"start_date", "targeting_flag_filters_json", "translations_json",
	} {
		attributes[name] = schema.StringAttribute{Optional: true, Computed: true}
	}

	for _, name := range []string{"archived", "enable_iframe_embedding", "enable_partial_responses"} {
		attributes[name] = schema.BoolAttribute{Optional: true, Computed: true}
	}

	for _, name := range []string{
		"iteration_count", "iteration_frequency_days", "linked_flag_id", "linked_insight_id", "response_sampling_interval",
		"response_sampling_limit", "responses_limit", "targeting_flag_id",
	} {
		attributes[name] = schema.Int64Attribute{Optional: true, Computed: true}
	}

	for _, name := range []string{
		"created_at", "created_by_json", "id", "internal_targeting_flag_json", "linked_flag_json", "targeting_flag_json",
	} {
		attributes[name] = schema.StringAttribute{Computed: true}
	}

	return schema.Schema{Attributes: attributes}
}

// strip leaves of a schema the names, the types, and who sets what. Validators,
// plan modifiers, defaults and types of one's own are gone, and with them all that
// the provider adds to the work of the framework.
func strip(of schema.Schema) (schema.Schema, error) {
	attributes, err := stripAttributes(of.Attributes)
	if err != nil {
		return schema.Schema{}, err
	}
	if len(of.Blocks) > 0 {
		return schema.Schema{}, errors.New("a schema with blocks cannot be made plain: donothing.go has to learn it")
	}
	return schema.Schema{Version: of.Version, Attributes: attributes}, nil
}

func stripAttributes(of map[string]schema.Attribute) (map[string]schema.Attribute, error) {
	plain := make(map[string]schema.Attribute, len(of))
	for name, attribute := range of {
		stripped, err := stripAttribute(attribute)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		plain[name] = stripped
	}
	return plain, nil
}

func stripAttribute(of schema.Attribute) (schema.Attribute, error) {
	switch a := of.(type) {
	case schema.StringAttribute:
		return schema.StringAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed}, nil
	case schema.BoolAttribute:
		return schema.BoolAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed}, nil
	case schema.Int64Attribute:
		return schema.Int64Attribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed}, nil
	case schema.NumberAttribute:
		return schema.NumberAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed}, nil
	case schema.ListAttribute:
		return schema.ListAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed, ElementType: a.ElementType}, nil
	case schema.MapAttribute:
		return schema.MapAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed, ElementType: a.ElementType}, nil
	case schema.SingleNestedAttribute:
		inner, err := stripAttributes(a.Attributes)
		return schema.SingleNestedAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed, Attributes: inner}, err
	case schema.ListNestedAttribute:
		inner, err := stripAttributes(a.NestedObject.Attributes)
		return schema.ListNestedAttribute{
			Required: a.Required, Optional: a.Optional, Computed: a.Computed,
			NestedObject: schema.NestedAttributeObject{Attributes: inner},
		}, err
	default:
		return nil, fmt.Errorf("an attribute of type %T cannot be made plain: donothing.go has to learn it", of)
	}
}
