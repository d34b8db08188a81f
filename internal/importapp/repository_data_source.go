package importapp

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/lookup"
)

type repositoryModel struct {
	responseModel
	Apps []repositoryApp `tfsdk:"apps"`
}

// NewRepositoryDataSource returns the data source posthog_pipeline_import_apps_repository,
// not configured yet: the apps that can be installed.
func NewRepositoryDataSource() datasource.DataSource {
	return responseOf("pipeline_import_apps_repository", "The import apps that can be installed.",
		map[string]schema.Attribute{
			"apps": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The apps.",
				NestedObject: schema.NestedAttributeObject{Attributes: repositoryAttributes()},
			},
		},
		tries[*repositoryModel]("list", "import apps of the repository"),
		func(ctx context.Context, apps *client.PipelineImportApps, _ *repositoryModel) (json.RawMessage, error) {
			return apps.Repository(ctx)
		},
		lookup.Decoded(func(m *repositoryModel, apps []wireRepositoryApp) {
			if apps != nil {
				m.Apps = []repositoryApp{}
			}
			for _, app := range apps {
				m.Apps = append(m.Apps, app.model())
			}
		}))
}

// wireRepositoryApp is an app as the repository returns it.
type wireRepositoryApp struct {
	Name        *string `json:"name"`
	URL         *string `json:"url"`
	Description *string `json:"description"`
	Icon        *string `json:"icon"`
	Maintainer  *string `json:"maintainer"`
	Verified    *bool   `json:"verified"`
}

func (w wireRepositoryApp) model() repositoryApp {
	return repositoryApp{
		Name: types.StringPointerValue(w.Name), URL: types.StringPointerValue(w.URL),
		Description: types.StringPointerValue(w.Description), Icon: types.StringPointerValue(w.Icon),
		Maintainer: types.StringPointerValue(w.Maintainer), Verified: types.BoolPointerValue(w.Verified),
	}
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
