package terraform

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

var _ datasource.DataSourceWithConfigure = (*ResponsesCountDataSource)(nil)

// ResponsesCountDataSource is the data source posthog_survey_responses_count: how
// many responses the surveys of a project have.
type ResponsesCountDataSource struct{ providerdata.DataSource }

type responsesCountModel struct {
	ProjectID types.String     `tfsdk:"project_id"`
	Counts    map[string]int64 `tfsdk:"counts"`
	JSON      types.String     `tfsdk:"json"`
}

// NewResponsesCountDataSource returns posthog_survey_responses_count, not configured
// yet.
func NewResponsesCountDataSource() datasource.DataSource { return &ResponsesCountDataSource{} }

// Metadata implements datasource.DataSource.
func (d *ResponsesCountDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_survey_responses_count"
}

// Schema implements datasource.DataSource.
func (d *ResponsesCountDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "How many responses the surveys of a project have. A survey without responses is not in the map: " +
			"read it with `lookup(data.posthog_survey_responses_count.all.counts, posthog_survey.nps.id, 0)`.",
		Attributes: map[string]schema.Attribute{
			"project_id": projectAttribute(),
			"counts": schema.MapAttribute{
				ElementType: types.Int64Type, Computed: true,
				MarkdownDescription: "Number of responses by the id of the survey, deleted surveys included. Null when the service answers nothing.",
			},
			"json": schema.StringAttribute{Computed: true, MarkdownDescription: "The whole answer as JSON text. Null when the service answers nothing."},
		},
	}
}

// Read implements datasource.DataSource.
func (d *ResponsesCountDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var m responsesCountModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}

	project, ok := projectOf(d.Data, m.ProjectID, &resp.Diagnostics)
	if !ok {
		return
	}
	m.ProjectID = project

	counts, err := d.Client.Surveys(project.ValueString()).ResponsesCount(ctx)
	if err == nil && counts != nil {
		var body []byte
		body, err = json.Marshal(counts)
		m.Counts, m.JSON = counts, types.StringValue(string(body))
	}
	if err != nil {
		attempt := diagnose.Attempt{Verb: "read", Noun: "responses count of surveys", Parent: "project " + project.ValueString()}
		resp.Diagnostics.Append(attempt.Diagnostic(err, nil))
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
