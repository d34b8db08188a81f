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

type unsubscribeConfigsModel struct {
	responseModel
	Configs []unsubscribeConfig `tfsdk:"configs"`
}

// NewUnsubscribeConfigsDataSource returns the data source
// posthog_pipeline_import_apps_exports_unsubscribe_configs, not configured yet: the
// configurations of apps that export data.
func NewUnsubscribeConfigsDataSource() datasource.DataSource {
	return responseOf("pipeline_import_apps_exports_unsubscribe_configs", "The enabled configurations of apps that export data.",
		map[string]schema.Attribute{
			"configs": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The configurations.",
				NestedObject: schema.NestedAttributeObject{Attributes: unsubscribeAttributes()},
			},
		},
		tries[*unsubscribeConfigsModel]("list", "configurations of apps that export data"),
		func(ctx context.Context, apps *client.PipelineImportApps, _ *unsubscribeConfigsModel) (json.RawMessage, error) {
			return apps.ExportsUnsubscribeConfigs(ctx)
		},
		lookup.Decoded(func(m *unsubscribeConfigsModel, configs []wireConfig) {
			if configs != nil {
				m.Configs = []unsubscribeConfig{}
			}
			for _, config := range configs {
				m.Configs = append(m.Configs, config.model())
			}
		}))
}

// wireConfig is a configuration as the service returns it.
type wireConfig struct {
	ID      *int64          `json:"id"`
	Plugin  *int64          `json:"plugin"`
	TeamID  *int64          `json:"team_id"`
	Enabled *bool           `json:"enabled"`
	Name    *string         `json:"name"`
	Config  json.RawMessage `json:"config"`
}

func (w wireConfig) model() unsubscribeConfig {
	config := unsubscribeConfig{
		ID: types.Int64PointerValue(w.ID), AppID: types.Int64PointerValue(w.Plugin), TeamID: types.Int64PointerValue(w.TeamID),
		Enabled: types.BoolPointerValue(w.Enabled), Name: types.StringPointerValue(w.Name),
	}
	if w.Config != nil {
		config.Config = types.StringValue(string(w.Config))
	}
	return config
}

// unsubscribeConfig is the configuration of one app in one project.
type unsubscribeConfig struct {
	ID      types.Int64  `tfsdk:"id"`
	AppID   types.Int64  `tfsdk:"app_id"`
	TeamID  types.Int64  `tfsdk:"team_id"`
	Enabled types.Bool   `tfsdk:"enabled"`
	Name    types.String `tfsdk:"name"`
	Config  types.String `tfsdk:"config"`
}

func unsubscribeAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":      schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of the configuration."},
		"app_id":  schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of the app."},
		"team_id": schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of the project."},
		"enabled": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether it is switched on."},
		"name":    schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the configuration."},
		"config":  schema.StringAttribute{Computed: true, MarkdownDescription: "The configuration as JSON text; the service masks secrets in it."},
	}
}
