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

var _ datasource.DataSourceWithConfigure = (*SourceDataSource)(nil)

// SourceDataSource is the data source posthog_pipeline_import_app_source: the code of one app.
type SourceDataSource struct{ answerDataSource }

type sourceModel struct {
	answerModel
	AppID types.Int64 `tfsdk:"app_id"`
	// Files are texts by file name.
	Files map[string]types.String `tfsdk:"files"`
}

// NewSourceDataSource returns posthog_pipeline_import_app_source, not
// configured yet.
func NewSourceDataSource() datasource.DataSource {
	return &SourceDataSource{answerDataSource{typeName: "pipeline_import_app_source"}}
}

// Schema implements datasource.DataSource.
func (d *SourceDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The code of an import app." + sessionOnly,
		Attributes: answerAttributes(map[string]schema.Attribute{
			"app_id": appIDAttribute(),
			"files":  schema.MapAttribute{ElementType: types.StringType, Computed: true, MarkdownDescription: "Texts by file name."},
		}),
	}
}

// Read implements datasource.DataSource.
func (d *SourceDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var m sourceModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}

	var answer map[string]*string
	ok := d.call(&m.answerModel, diagnose.Attempt{Verb: "read", Noun: "source of import app", ID: m.AppID.String()}, &answer, resp,
		func(apps *client.PipelineImportApps) (json.RawMessage, error) {
			return apps.Source(ctx, m.AppID.ValueInt64())
		})
	if !ok {
		return
	}

	if answer != nil {
		m.Files = map[string]types.String{}
	}
	for name, text := range answer {
		m.Files[name] = types.StringPointerValue(text)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
