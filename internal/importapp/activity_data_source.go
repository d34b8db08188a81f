package importapp

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/activity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

var _ datasource.DataSourceWithConfigure = (*ActivityDataSource)(nil)

// ActivityDataSource is the data source posthog_pipeline_import_apps_activity: who installed, changed and uninstalled apps.
type ActivityDataSource struct{ answerDataSource }

type activityModel struct {
	answerModel
	Limit   types.Int64      `tfsdk:"limit"`
	Entries []activity.Entry `tfsdk:"entries"`
}

// NewActivityDataSource returns posthog_pipeline_import_apps_activity, not
// configured yet.
func NewActivityDataSource() datasource.DataSource {
	return &ActivityDataSource{answerDataSource{typeName: "pipeline_import_apps_activity"}}
}

// Schema implements datasource.DataSource.
func (d *ActivityDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Who installed, changed and uninstalled import apps, newest first." + sessionOnly,
		Attributes: answerAttributes(map[string]schema.Attribute{
			"limit": schema.Int64Attribute{
				Optional: true, MarkdownDescription: "How many entries of the feed to read, the newest first; 100 when left out.",
				Validators: []validator.Int64{attribute.AtLeast(1)},
			},
			"entries": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The changes, newest first.",
				NestedObject: schema.NestedAttributeObject{Attributes: activity.Attributes()},
			},
		}),
	}
}

// Read implements datasource.DataSource.
func (d *ActivityDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var m activityModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}

	limit := int64(100)
	if !m.Limit.IsNull() {
		limit = m.Limit.ValueInt64()
	}
	var answer json.RawMessage
	tried := diagnose.Attempt{Verb: "read", Noun: "activity of import apps"}
	ok := d.call(&m.answerModel, tried, &answer, resp,
		func(apps *client.PipelineImportApps) (json.RawMessage, error) { return apps.AllActivity(ctx, limit) })
	if !ok {
		return
	}

	entries, err := activity.Entries(answer)
	if err != nil {
		tried.Parent = "organization " + m.OrganizationID.ValueString()
		resp.Diagnostics.Append(tried.OtherShape(err))
	}
	m.Entries = entries
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
