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

var _ datasource.DataSourceWithConfigure = (*UnsubscribeConfigsDataSource)(nil)

// UnsubscribeConfigsDataSource is the data source posthog_pipeline_import_apps_exports_unsubscribe_configs: the configurations of apps that export data.
type UnsubscribeConfigsDataSource struct{ answerDataSource }

type unsubscribeConfigsModel struct {
	answerModel
	Configs []unsubscribeConfig `tfsdk:"configs"`
}

// NewUnsubscribeConfigsDataSource returns posthog_pipeline_import_apps_exports_unsubscribe_configs, not
// configured yet.
func NewUnsubscribeConfigsDataSource() datasource.DataSource {
	return &UnsubscribeConfigsDataSource{answerDataSource{typeName: "pipeline_import_apps_exports_unsubscribe_configs"}}
}

// Schema implements datasource.DataSource.
func (d *UnsubscribeConfigsDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The enabled configurations of apps that export data." + sessionOnly,
		Attributes: answerAttributes(map[string]schema.Attribute{
			"configs": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The configurations.",
				NestedObject: schema.NestedAttributeObject{Attributes: unsubscribeAttributes()},
			},
		}),
	}
}

// Read implements datasource.DataSource.
func (d *UnsubscribeConfigsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var m unsubscribeConfigsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}

	var answer []struct {
		ID      *int64          `json:"id"`
		Plugin  *int64          `json:"plugin"`
		TeamID  *int64          `json:"team_id"`
		Enabled *bool           `json:"enabled"`
		Name    *string         `json:"name"`
		Config  json.RawMessage `json:"config"`
	}
	ok := d.call(&m.answerModel, diagnose.Attempt{Verb: "list", Noun: "configurations of apps that export data"}, &answer, resp,
		func(apps *client.PipelineImportApps) (json.RawMessage, error) {
			return apps.ExportsUnsubscribeConfigs(ctx)
		})
	if !ok {
		return
	}

	if answer != nil {
		m.Configs = []unsubscribeConfig{}
	}
	for _, one := range answer {
		config := unsubscribeConfig{
			ID: types.Int64PointerValue(one.ID), AppID: types.Int64PointerValue(one.Plugin), TeamID: types.Int64PointerValue(one.TeamID),
			Enabled: types.BoolPointerValue(one.Enabled), Name: types.StringPointerValue(one.Name),
		}
		if one.Config != nil {
			config.Config = types.StringValue(string(one.Config))
		}
		m.Configs = append(m.Configs, config)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
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
