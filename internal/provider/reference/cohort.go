package reference

import (
	"context"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

var _ datasource.DataSourceWithConfigure = (*Cohort)(nil)

// Cohort is the data source posthog_cohort: one cohort, by its id.
type Cohort struct{ providerdata.DataSource }

// NewCohort returns the data source posthog_cohort, not configured yet.
func NewCohort() datasource.DataSource { return &Cohort{} }

type cohortModel struct {
	ProjectID types.String `tfsdk:"project_id"`
	ID        types.Int64  `tfsdk:"id"`
	Name      types.String `tfsdk:"name"`
	IsStatic  types.Bool   `tfsdk:"is_static"`
	Filters   types.String `tfsdk:"filters"`
}

// Metadata implements datasource.DataSource.
func (d *Cohort) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_cohort"
}

// Schema implements datasource.DataSource.
func (d *Cohort) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "One cohort of a project, by its id: for the properties of type `cohort` in `targeting_flag_filters` of a survey. " +
			"A plan fails when the cohort is not there, and `precondition` can check the rest. The API key needs the scope `cohort:read`.",
		Attributes: map[string]schema.Attribute{
			"project_id": projectAttribute(),
			"id":         schema.Int64Attribute{Required: true, MarkdownDescription: "Id of the cohort: the number at the end of its address in the web interface."},
			"name":       schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the cohort."},
			"is_static":  schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether its people are a list, which no filters change."},
			"filters": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "What its people have or did, as JSON. Surveys take no cohort with conditions on events (`behavioral`).",
			},
		},
	}
}

// Read implements datasource.DataSource.
func (d *Cohort) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var m cohortModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}
	project, ok := d.Project(m.ProjectID, &resp.Diagnostics)
	if !ok {
		return
	}

	cohort, err := d.Client.Cohort(ctx, project.ValueString(), m.ID.ValueInt64())
	if err != nil {
		attempt := diagnose.Attempt{Verb: "read", Noun: "cohort", ID: strconv.FormatInt(m.ID.ValueInt64(), 10), Parent: "project " + project.ValueString()}
		resp.Diagnostics.Append(failed(attempt, "cohorts", err))
		return
	}

	m.ProjectID, m.Name, m.IsStatic = project, attribute.StringOf(cohort.Name), types.BoolPointerValue(cohort.IsStatic)
	m.Filters = types.StringNull()
	if filters, err := cohort.Filters.Get(); err == nil {
		m.Filters = types.StringValue(string(filters))
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
