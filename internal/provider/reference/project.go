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

var _ datasource.DataSourceWithConfigure = (*Project)(nil)

// Project is the data source posthog_project: the project of the provider, or one by its id.
type Project struct{ providerdata.DataSource }

// NewProject returns the data source posthog_project, not configured yet.
func NewProject() datasource.DataSource { return &Project{} }

type projectModel struct {
	ID             types.Int64  `tfsdk:"id"`
	OrganizationID types.String `tfsdk:"organization_id"`
	Name           types.String `tfsdk:"name"`
	SurveysOptIn   types.Bool   `tfsdk:"surveys_opt_in"`
}

// Metadata implements datasource.DataSource.
func (d *Project) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_project"
}

// Schema implements datasource.DataSource.
func (d *Project) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A project: its name and organization, and whether it shows surveys at all. The API key needs the scope `project:read`.",
		Attributes: map[string]schema.Attribute{
			"id":              schema.Int64Attribute{Optional: true, Computed: true, MarkdownDescription: "Id of the project; the `project_id` of the provider when left out."},
			"organization_id": schema.StringAttribute{Computed: true, MarkdownDescription: "Organization that the project belongs to."},
			"name":            schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the project."},
			"surveys_opt_in": schema.BoolAttribute{
				Computed:            true,
				MarkdownDescription: "Whether the project shows surveys in apps. False also for a project that never switched them on.",
			},
		},
	}
}

// Read implements datasource.DataSource.
func (d *Project) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var m projectModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}

	wanted := types.StringNull()
	if !m.ID.IsNull() {
		wanted = types.StringValue(strconv.FormatInt(m.ID.ValueInt64(), 10))
	}
	id, ok := d.Project(wanted, &resp.Diagnostics)
	if !ok {
		return
	}

	project, err := d.Client.Project(ctx, id.ValueString())
	if err != nil {
		attempt := diagnose.Attempt{Verb: "read", Noun: "project", ID: id.ValueString(), Parent: "project " + id.ValueString()}
		resp.Diagnostics.Append(failed(attempt, "projects", err))
		return
	}

	optIn := attribute.BoolOf(project.SurveysOptIn)
	m = projectModel{
		ID: types.Int64PointerValue(project.ID), OrganizationID: types.StringPointerValue(project.Organization),
		Name: types.StringPointerValue(project.Name), SurveysOptIn: types.BoolValue(optIn.ValueBool()),
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
