package terraform

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/activity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

var (
	_ datasource.DataSourceWithConfigure = (*ActivityDataSource)(nil)
	_ datasource.DataSourceWithConfigure = (*AllActivityDataSource)(nil)
)

// ActivityDataSource is the data source posthog_survey_activity: who changed what of
// one survey.
type ActivityDataSource struct{ providerdata.DataSource }

// AllActivityDataSource is the data source posthog_surveys_activity: the same for all
// surveys of a project.
type AllActivityDataSource struct{ providerdata.DataSource }

// allActivityModel has the attributes of both data sources.
type allActivityModel struct {
	ProjectID types.String     `tfsdk:"project_id"`
	Limit     types.Int64      `tfsdk:"limit"`
	Entries   []activity.Entry `tfsdk:"entries"`
	JSON      types.String     `tfsdk:"json"`
}

type activityModel struct {
	allActivityModel
	SurveyID types.String `tfsdk:"survey_id"`
}

// NewActivityDataSource returns posthog_survey_activity, not configured yet.
func NewActivityDataSource() datasource.DataSource { return &ActivityDataSource{} }

// NewAllActivityDataSource returns posthog_surveys_activity, not configured yet.
func NewAllActivityDataSource() datasource.DataSource { return &AllActivityDataSource{} }

// Metadata implements datasource.DataSource.
func (d *ActivityDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_survey_activity"
}

// Metadata implements datasource.DataSource.
func (d *AllActivityDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_surveys_activity"
}

// Schema implements datasource.DataSource.
func (d *ActivityDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Who changed what of a survey, and when, newest first. The API key needs the scope `activity_log:read`.",
		Attributes:          activityAttributes(),
	}
	resp.Schema.Attributes["survey_id"] = schema.StringAttribute{
		Required: true, MarkdownDescription: "UUID of the survey.", Validators: []validator.String{attribute.UUID{}},
	}
}

// Schema implements datasource.DataSource.
func (d *AllActivityDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Who changed what of the surveys of a project, deleted ones too, newest first. " +
			"The API key needs the scope `activity_log:read`.",
		Attributes: activityAttributes(),
	}
}

func activityAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id": projectAttribute(),
		"limit": schema.Int64Attribute{
			Optional: true, MarkdownDescription: "How many entries of the feed to read, the newest first; 100 when left out.",
			Validators: []validator.Int64{attribute.AtLeast(1)},
		},
		"entries": schema.ListNestedAttribute{
			Computed: true, MarkdownDescription: "The changes, newest first. Null on a service that answers nothing, as the interface documents it.",
			NestedObject: schema.NestedAttributeObject{Attributes: activity.Attributes()},
		},
		"json": schema.StringAttribute{Computed: true, MarkdownDescription: "The whole answer as JSON text. Null when the service answers nothing."},
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

	project, ok := projectOf(d.Data, m.ProjectID, &resp.Diagnostics)
	if !ok {
		return
	}
	m.ProjectID = project

	id := m.SurveyID.ValueString()
	tried := diagnose.Attempt{Verb: "read", Noun: "activity of survey", ID: id, Parent: "project " + project.ValueString()}
	body, err := d.Client.Surveys(project.ValueString()).Activity(ctx, id, m.limit())
	if m.fill(tried, body, err, &resp.Diagnostics) {
		resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
	}
}

// Read implements datasource.DataSource.
func (d *AllActivityDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var m allActivityModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}

	project, ok := projectOf(d.Data, m.ProjectID, &resp.Diagnostics)
	if !ok {
		return
	}
	m.ProjectID = project

	tried := diagnose.Attempt{Verb: "read", Noun: "activity of surveys", Parent: "project " + project.ValueString()}
	body, err := d.Client.Surveys(project.ValueString()).AllActivity(ctx, m.limit())
	if m.fill(tried, body, err, &resp.Diagnostics) {
		resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
	}
}

// limit is the number of entries to ask for.
func (m *allActivityModel) limit() int64 {
	if m.Limit.IsNull() {
		return 100
	}
	return m.Limit.ValueInt64()
}

// fill reads the response of the service and reports whether there is one. The interface
// documents no body, so one that is not a feed sets json alone.
func (m *allActivityModel) fill(tried diagnose.Attempt, body json.RawMessage, err error, diags *diag.Diagnostics) bool {
	if err != nil {
		diags.Append(tried.Diagnostic(err, map[string]path.Path{"limit": path.Root("limit")}))
		return false
	}
	if body == nil {
		return true
	}

	m.JSON = types.StringValue(string(body))
	if m.Entries, err = activity.Entries(body); err != nil {
		diags.Append(tried.OtherShape(err))
	}
	return true
}
