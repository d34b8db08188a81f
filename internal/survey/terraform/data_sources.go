package terraform

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

var _ datasource.DataSourceWithConfigure = (*ListDataSource)(nil)

// ListDataSource is the data source posthog_surveys: the surveys of a project.
type ListDataSource struct{ providerdata.DataSource }

type listModel struct {
	ProjectID types.String    `tfsdk:"project_id"`
	Name      types.String    `tfsdk:"name"`
	Type      types.String    `tfsdk:"type"`
	Status    types.String    `tfsdk:"status"`
	Archived  types.Bool      `tfsdk:"archived"`
	Surveys   []survey.Fields `tfsdk:"surveys"`
}

// NewListDataSource returns the data source posthog_surveys, not configured yet.
func NewListDataSource() datasource.DataSource { return &ListDataSource{} }

// Metadata implements datasource.DataSource.
func (d *ListDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_surveys"
}

// Schema implements datasource.DataSource.
func (d *ListDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The surveys of a project, all pages of the list, newest first; those that match every given filter.",
		Attributes: map[string]schema.Attribute{
			"project_id": projectAttribute(),
			"name":       schema.StringAttribute{Optional: true, MarkdownDescription: "Only the survey with exactly this name."},
			"type": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Only surveys of this type: `popover`, `widget`, `external_survey` or `api`.",
				Validators: []validator.String{attribute.OneOf(check.SurveyTypes.Values()...)},
			},
			"status": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Only surveys in this state: `draft`, `running` or `completed`.",
				Validators: []validator.String{attribute.OneOf(survey.StatusDraft, survey.StatusRunning, survey.StatusCompleted)},
			},
			"archived": schema.BoolAttribute{Optional: true, MarkdownDescription: "Only archived surveys, or only others. Both when left out."},
			"surveys": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The surveys.",
				NestedObject: schema.NestedAttributeObject{Attributes: answeredAttributes()},
			},
		},
	}
}

// Read implements datasource.DataSource.
func (d *ListDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var wanted listModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &wanted)...)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}

	project, ok := projectOf(d.Data, wanted.ProjectID, &resp.Diagnostics)
	if !ok {
		return
	}
	wanted.ProjectID = project

	wanted.Surveys = []survey.Fields{}
	for one, err := range d.Client.Surveys(project.ValueString()).List(ctx, client.ListOptions{}) {
		var fields survey.Fields
		if err == nil {
			fields, err = survey.FromAPI(ctx, one, survey.Fields{ProjectID: project}, &attribute.Answer{})
		}
		if err != nil {
			tried := diagnose.Attempt{Verb: "list", Noun: "surveys", Parent: "project " + project.ValueString()}
			resp.Diagnostics.Append(tried.Diagnostic(err, nil))
			return
		}
		if wanted.matches(fields) {
			wanted.Surveys = append(wanted.Surveys, fields)
		}
	}

	resp.Diagnostics.Append(resp.State.Set(ctx, &wanted)...)
}

func (m listModel) matches(f survey.Fields) bool {
	return (m.Name.IsNull() || m.Name.Equal(f.Name)) &&
		(m.Type.IsNull() || m.Type.Equal(f.Type)) &&
		(m.Status.IsNull() || m.Status.Equal(f.Status)) &&
		(m.Archived.IsNull() || m.Archived.Equal(f.Archived))
}
