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

var _ datasource.DataSourceWithConfigure = (*UpdatesDataSource)(nil)

// UpdatesDataSource is the data source posthog_pipeline_import_app_updates: whether one app has a newer version.
type UpdatesDataSource struct{ answerDataSource }

type updatesModel struct {
	answerModel
	AppID     types.Int64  `tfsdk:"app_id"`
	Tag       types.String `tfsdk:"tag"`
	LatestTag types.String `tfsdk:"latest_tag"`
}

// NewUpdatesDataSource returns posthog_pipeline_import_app_updates, not
// configured yet.
func NewUpdatesDataSource() datasource.DataSource {
	return &UpdatesDataSource{answerDataSource{typeName: "pipeline_import_app_updates"}}
}

// Schema implements datasource.DataSource.
func (d *UpdatesDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Whether an import app has a newer version: the service looks for the newest tag of its code." + sessionOnly,
		Attributes: answerAttributes(map[string]schema.Attribute{
			"app_id":     appIDAttribute(),
			"tag":        schema.StringAttribute{Computed: true, MarkdownDescription: "The version that is installed."},
			"latest_tag": schema.StringAttribute{Computed: true, MarkdownDescription: "The newest version."},
		}),
	}
}

// Read implements datasource.DataSource.
func (d *UpdatesDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var m updatesModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}

	var answer struct {
		Plugin struct {
			Tag       *string `json:"tag"`
			LatestTag *string `json:"latest_tag"`
		} `json:"plugin"`
	}
	ok := d.call(&m.answerModel, diagnose.Attempt{Verb: "check for updates of", Noun: "import app", ID: m.AppID.String()}, &answer, resp,
		func(apps *client.PipelineImportApps) (json.RawMessage, error) {
			return apps.CheckForUpdates(ctx, m.AppID.ValueInt64())
		})
	if !ok {
		return
	}

	m.Tag, m.LatestTag = types.StringPointerValue(answer.Plugin.Tag), types.StringPointerValue(answer.Plugin.LatestTag)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
