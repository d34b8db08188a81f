package importapp

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

var _ datasource.DataSourceWithConfigure = (*RepositoryDataSource)(nil)

// RepositoryDataSource is the data source posthog_pipeline_import_apps_repository: the apps that can be installed.
type RepositoryDataSource struct{ answerDataSource }

type repositoryModel struct {
	answerModel
	Apps []repositoryApp `tfsdk:"apps"`
}

// NewRepositoryDataSource returns posthog_pipeline_import_apps_repository, not
// configured yet.
func NewRepositoryDataSource() datasource.DataSource {
	return &RepositoryDataSource{answerDataSource{typeName: "pipeline_import_apps_repository"}}
}

// Schema implements datasource.DataSource.
func (d *RepositoryDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The import apps that can be installed." + sessionOnly,
		Attributes: answerAttributes(map[string]schema.Attribute{
			"apps": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The apps.",
				NestedObject: schema.NestedAttributeObject{Attributes: repositoryAttributes()},
			},
		}),
	}
}

// Read implements datasource.DataSource.
func (d *RepositoryDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var m repositoryModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}

	var answer []struct {
		Name        *string `json:"name"`
		URL         *string `json:"url"`
		Description *string `json:"description"`
		Icon        *string `json:"icon"`
		Maintainer  *string `json:"maintainer"`
		Verified    *bool   `json:"verified"`
	}
	ok := d.call(&m.answerModel, diagnose.Attempt{Verb: "list", Noun: "import apps of the repository"}, &answer, resp,
		func(apps *client.PipelineImportApps) (json.RawMessage, error) { return apps.Repository(ctx) })
	if !ok {
		return
	}

	if answer != nil {
		m.Apps = []repositoryApp{}
	}
	for _, app := range answer {
		m.Apps = append(m.Apps, repositoryApp{
			Name: types.StringPointerValue(app.Name), URL: types.StringPointerValue(app.URL),
			Description: types.StringPointerValue(app.Description), Icon: types.StringPointerValue(app.Icon),
			Maintainer: types.StringPointerValue(app.Maintainer), Verified: types.BoolPointerValue(app.Verified),
		})
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

// repositoryApp is one app that can be installed.
type repositoryApp struct {
	Name        types.String `tfsdk:"name"`
	URL         types.String `tfsdk:"url"`
	Description types.String `tfsdk:"description"`
	Icon        types.String `tfsdk:"icon"`
	Maintainer  types.String `tfsdk:"maintainer"`
	Verified    types.Bool   `tfsdk:"verified"`
}

func repositoryAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name":        schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the app."},
		"url":         schema.StringAttribute{Computed: true, MarkdownDescription: "Address of its code: the `url` to install it from."},
		"description": schema.StringAttribute{Computed: true, MarkdownDescription: "What it does."},
		"icon":        schema.StringAttribute{Computed: true, MarkdownDescription: "Address of its icon."},
		"maintainer":  schema.StringAttribute{Computed: true, MarkdownDescription: "Who maintains it: `official` or `community`."},
		"verified":    schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the service has verified it."},
	}
}
