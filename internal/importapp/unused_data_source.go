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

var _ datasource.DataSourceWithConfigure = (*UnusedDataSource)(nil)

// UnusedDataSource is the data source posthog_pipeline_import_apps_unused: the apps that no configuration uses.
type UnusedDataSource struct{ answerDataSource }

type unusedModel struct {
	answerModel
	AppIDs []int64 `tfsdk:"app_ids"`
}

// NewUnusedDataSource returns posthog_pipeline_import_apps_unused, not
// configured yet.
func NewUnusedDataSource() datasource.DataSource {
	return &UnusedDataSource{answerDataSource{typeName: "pipeline_import_apps_unused"}}
}

// Schema implements datasource.DataSource.
func (d *UnusedDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The import apps that no enabled configuration of the organization uses." + sessionOnly,
		Attributes: answerAttributes(map[string]schema.Attribute{
			"app_ids": schema.ListAttribute{ElementType: types.Int64Type, Computed: true, MarkdownDescription: "Numbers of the apps."},
		}),
	}
}

// Read implements datasource.DataSource.
func (d *UnusedDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var m unusedModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}

	var answer []int64
	ok := d.call(&m.answerModel, diagnose.Attempt{Verb: "list", Noun: "unused import apps"}, &answer, resp,
		func(apps *client.PipelineImportApps) (json.RawMessage, error) { return apps.Unused(ctx) })
	if !ok {
		return
	}

	m.AppIDs = answer
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
