// Package importapp has the resource and the data sources of pipeline import apps: schema,
// model, mapping to and from the API, and plans. How requests are made is up to
// internal/client; what is not about import apps is in internal/framework.
package importapp

import (
	"context"
	"maps"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
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

// objectType is the type of a whole resource, made once.
var objectType = sync.OnceValue(func() attr.Type { return ResourceSchema().Type() })

// ResourceSchema is the schema of the resource.
func ResourceSchema() schema.Schema {
	attributes := map[string]schema.Attribute{}
	for _, group := range []map[string]schema.Attribute{
		identityAttributes(), basicAttributes(), codeAttributes(), contentAttributes(), readOnlyAttributes(),
		{framework.TimeoutsName: framework.TimeoutsAttribute()},
	} {
		maps.Copy(attributes, group)
	}
	return schema.Schema{
		MarkdownDescription: "A pipeline import app of an organization: code that brings data in, what it can do and what it asks for. " +
			"The hosted service shows only apps whose `capabilities` say that they import: set them, or the app cannot be found after its creation.\n\n" +
			"The service plans to remove import apps: see the guide [When import apps go](../guides/removed_import_apps).",
		Attributes: attributes,
	}
}

func identityAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id": schema.Int64Attribute{
			Computed: true, MarkdownDescription: "Number of the app.",
			PlanModifiers: []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
		},
		"organization_id": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Organization that the app belongs to, a UUID; the `organization_id` of the provider when left out. Changing this forces a new app.",
			PlanModifiers:       []planmodifier.String{replacesUnlessRemoved()},
		},
	}
}

func basicAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name":        optionalString("Name of the app, at most 200 characters.", 200),
		"description": optionalString("What the app does.", 0),
		"icon":        optionalString("Address of the app's picture, at most 800 characters.", 800),
		"tag":         optionalString("Version of the app's code, at most 200 characters.", 200),
		"is_global": schema.BoolAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Whether the app is there for all organizations. Only an organization that manages plugins for the whole " +
				"instance may change it. While it is `true` the service refuses to delete the app.",
			PlanModifiers: []planmodifier.Bool{attribute.ResetTo(types.BoolValue(false))},
		},
	}
}

// codeAttributes say where the code comes from. What an omitted plugin_type means
// depends on the url, so it is planned in plan.go.
func codeAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"plugin_type": optionalString("Where the code comes from: `local`, `custom`, `repository`, `source` or `inline`. "+
			"Left out beside a `url`, the service chooses.", 0),
		"url_query":            urlQueryAttribute(),
		"url_query_wo":         urlQueryWOAttribute(),
		"url_query_wo_version": urlQueryWOVersionAttribute(),
		"url": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Address that the app is installed from, at most 800 characters. The hosted service needs one unless `plugin_type` is `source`. " +
				"A token of a private repository belongs in `url_query_wo` or `url_query`: `url` is printed in plans. Changing the address replaces the app; leaving it out keeps the one it has.",
			Validators: []validator.String{attribute.LengthAtMost(800)},
			PlanModifiers: []planmodifier.String{
				keepURL, attribute.Equivalent(sameURL), replacesUnlessRemoved(),
			},
		},
	}
}

func contentAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"config_schema": optionalJSON("Settings that the app asks for, as JSON: a list of fields with `key`, `name`, `type` and more, or a map of them by key. " +
			"Defaults of fields with `secret = true` are in the state in plain text, and in what `-generate-config-out` writes."),
		"capabilities": optionalJSON("What the app can do, as JSON: `methods`, `jobs` and `scheduled_tasks`, each a list of names. " +
			"The service rewrites them when it has read the code, which is no difference to the configuration."),
		"metrics":     optionalJSON("Metrics that the app reports, as JSON: `sum`, `max` or `min` by name."),
		"public_jobs": optionalJSON("Jobs that a person can start, as JSON: what each needs, by name."),
	}
}

func readOnlyAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"latest_tag":                       computedString("Newest version of the app's code that the service knows of."),
		"organization_name":                computedString("Name of the organization that the app belongs to."),
		"hog_function_migration_available": computedString("Whether the app can be replaced by a Hog function: `true` or `false`, as far as the service says."),
	}
}

// optionalString is cleared with null. At most so many characters; 0 means no
// such limit.
func optionalString(description string, most int) schema.StringAttribute {
	a := schema.StringAttribute{
		Optional: true, Computed: true, MarkdownDescription: description,
		PlanModifiers: []planmodifier.String{attribute.ResetTo(types.StringNull())},
	}
	if most > 0 {
		a.Validators = []validator.String{attribute.LengthAtMost(most)}
	}
	return a
}

// optionalJSON goes back to the empty object, which the service itself fills in;
// for two of the four it refuses null.
func optionalJSON(description string) schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, CustomType: jsontypes.NormalizedType{}, MarkdownDescription: description,
		Validators:    []validator.String{attribute.JSONStructure},
		PlanModifiers: []planmodifier.String{attribute.ResetJSONTo("{}"), attribute.Equivalent(attribute.EquivalentJSON)},
	}
}

func computedString(description string) schema.StringAttribute {
	return schema.StringAttribute{
		Computed: true, MarkdownDescription: description,
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	}
}

var pluginTypes = attribute.EnumerationOf(api.Local, api.Custom, api.Repository, api.Source, api.Inline)

// checkEnumerations checks enumerations. Checks that need no prior state are in the schema.
func checkEnumerations(planned, prior Fields, diags *diag.Diagnostics) {
	pluginTypes.Check(path.Root("plugin_type"), planned.PluginType, []types.String{prior.PluginType}, diags)
}

type identityModel struct {
	OrganizationID types.String `tfsdk:"organization_id"`
	ID             types.Int64  `tfsdk:"id"`
}

// IdentitySchema implements resource.ResourceWithIdentity.
func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"organization_id": identityschema.StringAttribute{OptionalForImport: true, Description: "The organization; the provider's when left out."},
		"id":              identityschema.Int64Attribute{RequiredForImport: true, Description: "Number of the app."},
	}}
}

func identityOf(f Fields) identityModel {
	return identityModel{OrganizationID: f.OrganizationID, ID: f.ID}
}
