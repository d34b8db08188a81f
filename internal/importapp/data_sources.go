package importapp

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// NewDataSource returns the data source posthog_pipeline_import_app, which reads one app by ID or
// name. It is not configured yet.
func NewDataSource() datasource.DataSource {
	return &framework.DataSource[Fields]{
		TypeName: "pipeline_import_app", Describe: dataSourceSchema, OneOf: []string{"id", "name"},
		Parent: framework.Organization, ParentID: func(m *Fields) *types.String { return &m.OrganizationID },
		Fill: readOne,
	}
}

func dataSourceSchema() schema.Schema {
	attributes := returnedAttributes()
	attributes["id"] = schema.Int64Attribute{Optional: true, Computed: true, MarkdownDescription: "ID of the app. Set either `id` or `name`."}
	attributes["name"] = schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "Name of the app, if it is unique. Set either `id` or `name`."}
	return schema.Schema{MarkdownDescription: "Reads one pipeline import app that an organization can see, by ID or name.", Attributes: attributes}
}

// returnedAttributes returns the resource attributes that PostHog returns.
func returnedAttributes() map[string]schema.Attribute {
	attributes := maps.Clone(ResourceSchema().Attributes)
	delete(attributes, framework.TimeoutsName)
	for _, name := range []string{"url_query", "url_query_wo", "url_query_wo_version"} {
		delete(attributes, name)
	}
	return attribute.ReadOnly(attributes, readDescriptions)
}

func readOne(ctx context.Context, data *framework.Data, m *Fields, diags *diag.Diagnostics) {
	config := *m
	apps := data.Client.PipelineImportApps(config.OrganizationID.ValueString())
	var found api.PipelineImportApp
	var err error
	if config.ID.IsNull() {
		found, err = byName(ctx, apps, config, diags)
	} else {
		found, err = apps.Retrieve(ctx, config.ID.ValueInt64())
	}

	switch {
	case client.IsRemoved(err):
		diags.Append(attempt("read", config).RemovalWarning(err)...)
	case err != nil:
		diags.Append(attempt("read", config).Diagnostic(err, nil))
	case !diags.HasError():
		*m = FromAPI(found, Fields{OrganizationID: config.OrganizationID}, &attribute.Response{})
	}
}

// byName searches the whole list, because app names are not unique.
func byName(ctx context.Context, apps *client.PipelineImportApps, config Fields, diags *diag.Diagnostics) (app api.PipelineImportApp, err error) {
	var found []api.PipelineImportApp
	var ids []string
	for wire, err := range apps.List(ctx, client.ListOptions{}) {
		if err != nil {
			return app, err
		}
		if attribute.StringField(wire.Name).Equal(config.Name) {
			found = append(found, wire)
			ids = append(ids, types.Int64PointerValue(wire.ID).String())
		}
	}

	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		diags.AddAttributeError(path.Root("name"), fmt.Sprintf("Import app %s was not found", config.Name),
			fmt.Sprintf("Organization %s does not have an import app with this name. Names must match exactly, including case and spaces.",
				config.OrganizationID.ValueString()))
	default:
		diags.AddAttributeError(path.Root("name"), fmt.Sprintf("%d import apps have the name %s", len(found), config.Name),
			fmt.Sprintf("In organization %s, the apps %s have this name. Set id instead of name.",
				config.OrganizationID.ValueString(), strings.Join(ids, ", ")))
	}
	return app, nil
}

// listFilter holds the filters that the list data source and the list resource share.
type listFilter struct {
	OrganizationID types.String `tfsdk:"organization_id"`
	Name           types.String `tfsdk:"name"`
	PluginType     types.String `tfsdk:"plugin_type"`
}

// ParentID implements framework.Filter.
func (m *listFilter) ParentID() *types.String { return &m.OrganizationID }

type listModel struct {
	listFilter
	PipelineImportApps []Fields `tfsdk:"pipeline_import_apps"`
}

// NewListDataSource returns the data source posthog_pipeline_import_apps, which lists the apps that
// an organization can see. It is not configured yet.
func NewListDataSource() datasource.DataSource {
	return framework.NewListDataSource[listModel](
		framework.Objects[Fields]{TypeName: "pipeline_import_apps", Plural: "pipeline import apps", Parent: framework.Organization, All: visible}, listSchema)
}

func listSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Lists the pipeline import apps that an organization can see and that match all filters. It reads all pages of the list.",
		Attributes: map[string]schema.Attribute{
			"name":        schema.StringAttribute{Optional: true, MarkdownDescription: "Only apps with exactly this name."},
			"plugin_type": schema.StringAttribute{Optional: true, MarkdownDescription: "Only apps of this type."},
			"pipeline_import_apps": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "Import apps. The `organization_id` of a global app can be another organization.",
				NestedObject: schema.NestedAttributeObject{Attributes: returnedAttributes()},
			},
		},
	}
}

// visible returns the apps that an organization can see, including other organizations' global
// apps.
func visible(ctx context.Context, c *client.Client, organization types.String) iter.Seq2[Fields, error] {
	return listApps(ctx, c, organization, func(wire api.PipelineImportApp) (Fields, bool) {
		return FromAPI(wire, Fields{}, &attribute.Response{}), true
	})
}

// listOrganizationApps returns the apps that an organization owns.
func listOrganizationApps(ctx context.Context, c *client.Client, organization types.String) iter.Seq2[Fields, error] {
	return listApps(ctx, c, organization, func(wire api.PipelineImportApp) (Fields, bool) {
		return FromAPI(wire, Fields{OrganizationID: organization}, &attribute.Response{}), ForeignOwner(wire, organization.ValueString()) == ""
	})
}

// listApps returns the apps in an organization's list that convert accepts. It stops at the first
// app that cannot be read.
func listApps(
	ctx context.Context, c *client.Client, organization types.String, convert func(api.PipelineImportApp) (Fields, bool),
) iter.Seq2[Fields, error] {
	return func(yield func(Fields, error) bool) {
		for wire, err := range c.PipelineImportApps(organization.ValueString()).List(ctx, client.ListOptions{}) {
			fields, isWanted := convert(wire)
			if (isWanted || err != nil) && !yield(fields, err) || err != nil {
				return
			}
		}
	}
}

// Results implements framework.List.
func (m *listModel) Results() *[]Fields { return &m.PipelineImportApps }

// Matches implements framework.Filter.
func (m *listModel) Matches(f Fields) bool {
	return (m.Name.IsNull() || m.Name.Equal(f.Name)) && (m.PluginType.IsNull() || m.PluginType.Equal(f.PluginType))
}

// readDescriptions replaces descriptions that explain how to set a value, because a data source has
// no such settings.
var readDescriptions = attribute.Descriptions{
	"organization_id": "UUID of the organization in whose list the app was found.",
	"name":            "Name of the app.",
	"icon":            "URL of the app's icon.",
	"tag":             "Version of the app's code.",
	"is_global":       "Whether all organizations can use the app.",
	"plugin_type":     "Source of the code: one of `local`, `custom`, `repository`, `source`, or `inline`.",
	"url":             "URL that the app was installed from, without a token.",
	"config_schema":   "Settings that the app requires, as a JSON list of fields with keys such as `key`, `name`, and `type`, or as a map of fields.",
	"capabilities":    "Capabilities of the app, as a JSON object with `methods`, `jobs`, and `scheduled_tasks`, which are lists of names.",
}

type listResourceModel struct{ listFilter }

// NewListResource returns the list resource posthog_pipeline_import_app, which lists the import
// apps that an organization owns for terraform query. It is not configured yet.
func NewListResource() list.ListResource {
	return &framework.ListResource[listResourceModel, Fields, *listResourceModel]{
		Objects: framework.Objects[Fields]{TypeName: "pipeline_import_app", Plural: "pipeline import apps", Parent: framework.Organization, All: listOrganizationApps},
		Schema:  listResourceSchema,
		Name:    func(f Fields) string { return f.Name.ValueString() },
		State:   importedState,
	}
}

func listResourceSchema() listschema.Schema {
	return listschema.Schema{
		MarkdownDescription: "Lists the pipeline import apps that an organization owns and that match all filters. " +
			"Terraform stops after 100 apps unless you set `limit`. " +
			"The list doesn't contain global apps of other organizations, which can't be managed.",
		Attributes: map[string]listschema.Attribute{
			"organization_id": listschema.StringAttribute{Optional: true, MarkdownDescription: framework.Organization.WhereToLook()},
			"name":            listschema.StringAttribute{Optional: true, MarkdownDescription: "Only apps whose name contains this text. Case is ignored."},
			"plugin_type":     listschema.StringAttribute{Optional: true, MarkdownDescription: "Only apps of this type."},
		},
	}
}

// importedState returns the state of an app after an import.
func importedState(ctx context.Context, f Fields, diags *diag.Diagnostics) tftypes.Value {
	return attribute.Edit(ctx, attribute.AllNull(ctx, objectType()), objectType(), func(m *Model) { m.Fields = f }, diags)
}

// Matches implements framework.Filter.
func (m *listResourceModel) Matches(f Fields) bool {
	return strings.Contains(strings.ToLower(f.Name.ValueString()), strings.ToLower(m.Name.ValueString())) &&
		(m.PluginType.IsNull() || m.PluginType.Equal(f.PluginType))
}
