package importapp

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/lookup"
)

type listModel struct {
	OrganizationID     types.String `tfsdk:"organization_id"`
	Name               types.String `tfsdk:"name"`
	PluginType         types.String `tfsdk:"plugin_type"`
	PipelineImportApps []Fields     `tfsdk:"pipeline_import_apps"`
}

// NewListDataSource returns the data source posthog_pipeline_import_apps, not configured
// yet: the apps that an organization can see.
func NewListDataSource() datasource.DataSource {
	return &lookup.ListDataSource[listModel, Fields, *listModel]{
		Objects:    lookup.Objects[Fields]{TypeName: "pipeline_import_apps", Plural: "pipeline import apps", Parent: lookup.Organization, All: visible},
		Attributes: listSchema,
	}
}

func listSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "The pipeline import apps that an organization can see, all pages of the list; those that match every given filter.",
		Attributes: map[string]schema.Attribute{
			"organization_id": organizationAttribute(),
			"name":            schema.StringAttribute{Optional: true, MarkdownDescription: "Only apps with exactly this name."},
			"plugin_type":     schema.StringAttribute{Optional: true, MarkdownDescription: "Only apps of this type."},
			"pipeline_import_apps": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The apps. The `organization_id` of a global app may be that of another organization.",
				NestedObject: schema.NestedAttributeObject{Attributes: returnedAttributes()},
			},
		},
	}
}

// visible are the apps that an organization can see, global ones of others too.
func visible(ctx context.Context, c *client.Client, organization types.String) iter.Seq2[Fields, error] {
	return func(yield func(Fields, error) bool) {
		for wire, err := range c.PipelineImportApps(organization.ValueString()).List(ctx, client.ListOptions{}) {
			if err != nil {
				yield(Fields{}, err)
				return
			}
			if !yield(FromAPI(wire, Fields{}, &attribute.Response{}), nil) {
				return
			}
		}
	}
}

// owned are the apps of an organization itself.
func owned(ctx context.Context, c *client.Client, organization types.String) iter.Seq2[Fields, error] {
	return func(yield func(Fields, error) bool) {
		for wire, err := range c.PipelineImportApps(organization.ValueString()).List(ctx, client.ListOptions{}) {
			if err != nil {
				yield(Fields{}, err)
				return
			}
			if ForeignOwner(wire, organization.ValueString()) == "" && !yield(FromAPI(wire, Fields{OrganizationID: organization}, &attribute.Response{}), nil) {
				return
			}
		}
	}
}

// ParentID implements lookup.Filter.
func (m *listModel) ParentID() *types.String { return &m.OrganizationID }

// Found implements lookup.List.
func (m *listModel) Found() *[]Fields { return &m.PipelineImportApps }

// Matches implements lookup.Filter.
func (m *listModel) Matches(f Fields) bool {
	return (m.Name.IsNull() || m.Name.Equal(f.Name)) && (m.PluginType.IsNull() || m.PluginType.Equal(f.PluginType))
}
