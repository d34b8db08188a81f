package importapp

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

var _ datasource.DataSourceWithConfigure = (*ListDataSource)(nil)

// ListDataSource is the data source posthog_pipeline_import_apps: the apps that an
// organization can see.
type ListDataSource struct{ providerdata.DataSource }

type listModel struct {
	OrganizationID     types.String `tfsdk:"organization_id"`
	Name               types.String `tfsdk:"name"`
	PluginType         types.String `tfsdk:"plugin_type"`
	PipelineImportApps []Fields     `tfsdk:"pipeline_import_apps"`
}

// NewListDataSource returns the data source posthog_pipeline_import_apps, not
// configured yet.
func NewListDataSource() datasource.DataSource { return &ListDataSource{} }

// Metadata implements datasource.DataSource.
func (d *ListDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_pipeline_import_apps"
}

// Schema implements datasource.DataSource.
func (d *ListDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The pipeline import apps that an organization can see, all pages of the list; those that match every given filter.",
		Attributes: map[string]schema.Attribute{
			"organization_id": organizationAttribute(),
			"name":            schema.StringAttribute{Optional: true, MarkdownDescription: "Only apps with exactly this name."},
			"plugin_type":     schema.StringAttribute{Optional: true, MarkdownDescription: "Only apps of this type."},
			"pipeline_import_apps": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The apps. The `organization_id` of a global app may be that of another organization.",
				NestedObject: schema.NestedAttributeObject{Attributes: answeredAttributes()},
			},
		},
	}
}

// Read implements datasource.DataSource.
func (d *ListDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var wanted listModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &wanted)...)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}

	organization, ok := organizationOf(d.Data, wanted.OrganizationID, &resp.Diagnostics)
	if !ok {
		return
	}
	wanted.OrganizationID = organization

	wanted.PipelineImportApps = []Fields{}
	for one, err := range d.Client.PipelineImportApps(organization.ValueString()).List(ctx, client.ListOptions{}) {
		if err != nil {
			tried := diagnose.Attempt{Verb: "list", Noun: "pipeline import apps", Parent: "organization " + organization.ValueString()}
			resp.Diagnostics.Append(tried.Diagnostic(err, nil))
			return
		}
		if m := FromAPI(one, Fields{}, &attribute.Answer{}); wanted.matches(m) {
			wanted.PipelineImportApps = append(wanted.PipelineImportApps, m)
		}
	}

	resp.Diagnostics.Append(resp.State.Set(ctx, &wanted)...)
}

func (w listModel) matches(m Fields) bool {
	return (w.Name.IsNull() || w.Name.Equal(m.Name)) && (w.PluginType.IsNull() || w.PluginType.Equal(m.PluginType))
}
