// Package importapp implements the resource and the data sources for pipeline import apps: schema,
// model, mapping to and from the API, and plans. Package client makes the requests. Code that is
// not specific to import apps belongs in package framework. Start at Resource.
package importapp

import (
	"maps"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// Fields are an import app's attributes that PostHog returns. The resource and the data sources
// share them.
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

// Model is an import app in the resource's configuration, plan, or state.
type Model struct {
	Fields
	// URLQuery is sent as part of the URL when the app is created. PostHog never returns it.
	URLQuery types.String `tfsdk:"url_query"`
	// URLQueryWO is URLQuery as a write-only attribute: it is null in every plan and state.
	URLQueryWO        types.String `tfsdk:"url_query_wo"`
	URLQueryWOVersion types.Int64  `tfsdk:"url_query_wo_version"`
	// Timeouts limit the operations. They are not sent to PostHog.
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

// objectType returns the whole resource's type, built once.
var objectType = sync.OnceValue(func() attr.Type { return ResourceSchema().Type() })

// ResourceSchema returns the resource's schema.
func ResourceSchema() schema.Schema {
	attributes := map[string]schema.Attribute{}
	for _, group := range []map[string]schema.Attribute{
		identityAttributes(), basicAttributes(), codeAttributes(), contentAttributes(), readOnlyAttributes(),
		{framework.TimeoutsName: framework.TimeoutsAttribute()},
	} {
		maps.Copy(attributes, group)
	}
	return schema.Schema{
		MarkdownDescription: "A pipeline import app of an organization, with its code, its capabilities, and the settings that it requires. " +
			"PostHog returns only apps whose `capabilities` include imports. Set them, or the app can't be read after its creation.\n\n" +
			"You can't manage the values of an app's settings, only their schema. Changing `tag` doesn't upgrade the code. To upgrade it, use the action `posthog_pipeline_import_app_upgrade`.\n\n" +
			"PostHog plans to remove import apps. See [Prepare for the removal of import apps](../guides/removed_import_apps).",
		Attributes: attributes,
	}
}

func identityAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id": schema.Int64Attribute{
			Computed: true, MarkdownDescription: "ID of the app.",
			PlanModifiers: []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
		},
		"organization_id": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "UUID of the organization that the app belongs to. Defaults to the `organization_id` of the provider. Changing this forces a new app.",
			PlanModifiers:       []planmodifier.String{requiresReplaceWhileAvailable()},
		},
	}
}

func basicAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name":        optionalString("Name of the app, at most 200 characters.", 200),
		"description": optionalString("Description of the app.", 0),
		"icon":        optionalString("URL of the app's icon, at most 800 characters.", 800),
		"tag":         optionalString("Version of the app's code, at most 200 characters. Changing it doesn't upgrade the code.", 200),
		"is_global": schema.BoolAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Whether all organizations can use the app. Only an organization that manages plugins for the whole " +
				"instance can change this. While it is `true`, PostHog doesn't delete the app.",
			PlanModifiers: []planmodifier.Bool{attribute.ResetValue(types.BoolValue(false))},
		},
	}
}

// codeAttributes returns the attributes for the code's source. plugin_type's default depends on the
// URL, so plan.go plans it.
func codeAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"plugin_type": optionalString("Source of the code: one of `local`, `custom`, `repository`, `source`, or `inline`. "+
			"If you omit it and set `url`, PostHog chooses.", 0),
		"url_query":            urlQueryAttribute(),
		"url_query_wo":         urlQueryWOAttribute(),
		"url_query_wo_version": urlQueryWOVersionAttribute(),
		"url": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "URL that the app is installed from, at most 800 characters. PostHog requires it unless `plugin_type` is `source`. " +
				"Plans print this URL, so set the token of a private repository in `url_query_wo` or `url_query`. Changing the URL forces a new app. If omitted, the app keeps its URL.",
			Validators: []validator.String{attribute.LengthAtMost(800)},
			PlanModifiers: []planmodifier.String{
				keepURL, attribute.Equivalent(sameURL), requiresReplaceWhileAvailable(),
			},
		},
	}
}

func contentAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"config_schema": optionalJSON("Settings that the app requires, as a JSON list of fields with keys such as `key`, `name`, and `type`, or as a map of fields. " +
			"The state and the output of `-generate-config-out` contain the defaults of fields with `secret = true` in plain text."),
		"capabilities": optionalJSON("Capabilities of the app, as a JSON object with `methods`, `jobs`, and `scheduled_tasks`, which are lists of names. " +
			"PostHog rewrites them after it reads the code. The provider doesn't report that as a difference."),
		"metrics":     optionalJSON("Metrics that the app reports, as a JSON object with `sum`, `max`, or `min` for each name."),
		"public_jobs": optionalJSON("Jobs that a user can start, as a JSON object with the inputs of each job."),
	}
}

func readOnlyAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"latest_tag":                       computedString("Newest version of the app's code that PostHog found."),
		"organization_name":                computedString("Name of the organization that the app belongs to."),
		"hog_function_migration_available": computedString("Whether a Hog function can replace the app: `true` or `false`, or null if PostHog doesn't return it."),
	}
}

// optionalString returns an attribute that null clears. A maxLength of 0 means no limit.
func optionalString(description string, maxLength int) schema.StringAttribute {
	a := schema.StringAttribute{
		Optional: true, Computed: true, MarkdownDescription: description,
		PlanModifiers: []planmodifier.String{attribute.ResetValue(types.StringNull())},
	}
	if maxLength > 0 {
		a.Validators = []validator.String{attribute.LengthAtMost(maxLength)}
	}
	return a
}

// optionalJSON returns an attribute whose default is the empty object, as in PostHog. PostHog
// rejects null for two of these four attributes.
func optionalJSON(description string) schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, CustomType: jsontypes.NormalizedType{}, MarkdownDescription: description,
		Validators:    []validator.String{attribute.JSONStructure},
		PlanModifiers: []planmodifier.String{attribute.ResetJSONValue("{}"), attribute.Equivalent(attribute.EquivalentJSON)},
	}
}

func computedString(description string) schema.StringAttribute {
	return schema.StringAttribute{
		Computed: true, MarkdownDescription: description,
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	}
}

var pluginTypes = attribute.NewEnumeration(api.Local, api.Custom, api.Repository, api.Source, api.Inline)

// checkEnumerations checks enumerations against the prior state. Checks without the prior state are
// in the schema.
func checkEnumerations(planned, prior Fields, diags *diag.Diagnostics) {
	pluginTypes.Check(path.Root("plugin_type"), planned.PluginType, []types.String{prior.PluginType}, diags)
}
