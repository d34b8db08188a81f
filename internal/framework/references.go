package framework

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// What surveys refer to by a number: feature flags, cohorts and projects. They belong to the
// hosted service; a service without their routes is an error that says what to write instead.
// Names and types of attributes are those of the resources of the provider posthog/posthog.

// failed words an error of a read.
func failed(attempt Attempt, plural string, err error) diag.Diagnostic {
	if client.IsEndpointNotFound(err) {
		return diag.NewErrorDiagnostic(attempt.Title(), fmt.Sprintf("%s\n\nThe service has no %s for API keys; the hosted one has. "+
			"Write the id in place of the data source: it is the number at the end of the address in the web interface.", err, plural))
	}
	return attempt.Diagnostic(err, nil)
}

func projectAttribute() schema.Attribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, MarkdownDescription: "Project to look in; the `project_id` of the provider when left out.",
	}
}

var _ datasource.DataSourceWithConfigValidators = (*flagDataSource)(nil)

// flagDataSource is the data source posthog_feature_flag: one flag, by its key or its id.
type flagDataSource struct{ DataSource }

// NewFeatureFlag returns the data source posthog_feature_flag, not configured yet.
func NewFeatureFlag() datasource.DataSource { return &flagDataSource{} }

type flagModel struct {
	ProjectID         types.String `tfsdk:"project_id"`
	ID                types.Int64  `tfsdk:"id"`
	Key               types.String `tfsdk:"key"`
	Name              types.String `tfsdk:"name"`
	Active            types.Bool   `tfsdk:"active"`
	Deleted           types.Bool   `tfsdk:"deleted"`
	Filters           types.String `tfsdk:"filters"`
	RolloutPercentage types.Number `tfsdk:"rollout_percentage"`
	Tags              []string     `tfsdk:"tags"`
}

// Metadata implements datasource.DataSource.
func (d *flagDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_feature_flag"
}

// Schema implements datasource.DataSource.
func (d *flagDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "One feature flag of a project, by its key or its id: for `linked_flag_id` and `targeting_flag_id` of a survey. " +
			"The flags that the service creates for a survey are not found by their key. The API key needs the scope `feature_flag:read`.",
		Attributes: map[string]schema.Attribute{
			"project_id":         projectAttribute(),
			"id":                 schema.Int64Attribute{Optional: true, Computed: true, MarkdownDescription: "Id of the flag. Either this or `key`."},
			"key":                schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "Key of the flag, which code asks for. Either this or `id`."},
			"name":               schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the flag, which the web interface calls its description."},
			"active":             schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the flag is switched on. One that is off is on for nobody."},
			"deleted":            schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the flag was deleted. Such a flag is found by its id alone."},
			"filters":            schema.StringAttribute{Computed: true, MarkdownDescription: "Release conditions, as JSON."},
			"rollout_percentage": schema.NumberAttribute{Computed: true, MarkdownDescription: "Share of all people for whom the flag is on; null when its release conditions say more than that."},
			"tags":               schema.SetAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "Tags of the flag."},
		},
	}
}

// ConfigValidators implements datasource.DataSourceWithConfigValidators.
func (d *flagDataSource) ConfigValidators(context.Context) []datasource.ConfigValidator {
	return []datasource.ConfigValidator{attribute.ExactlyOneOf("id", "key")}
}

// Read implements datasource.DataSource.
func (d *flagDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := Lookup(ctx, &resp.Diagnostics)
	defer end()

	var m flagModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}
	project, ok := d.Project(m.ProjectID, &resp.Diagnostics)
	if !ok {
		return
	}

	m.ProjectID = project
	found, err := d.find(ctx, m, &resp.Diagnostics)
	if err != nil {
		resp.Diagnostics.Append(failed(m.attempt(), "feature flags", err))
	}
	if resp.Diagnostics.HasError() {
		return
	}

	m.fill(found)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

// attempt is what a read tries, for errors.
func (m flagModel) attempt() Attempt {
	attempt := Attempt{Verb: "read", Noun: "feature flag", Name: m.Key.ValueString(), Parent: "project " + m.ProjectID.ValueString()}
	if !m.ID.IsNull() {
		attempt.ID = strconv.FormatInt(m.ID.ValueInt64(), 10)
	}
	return attempt
}

// find reads the flag by its id, or finds it by its key.
func (d *flagDataSource) find(ctx context.Context, m flagModel, diags *diag.Diagnostics) (api.FeatureFlagDetail, error) {
	project := m.ProjectID.ValueString()
	if m.Key.IsNull() {
		return d.Client.FeatureFlag(ctx, project, m.ID.ValueInt64())
	}

	found, err := matching(ctx, d.Client, project, m.Key.ValueString())
	if err != nil || len(found) == 1 {
		return append(found, api.FeatureFlagDetail{})[0], err
	}
	if len(found) > 1 {
		diags.AddAttributeError(path.Root("key"), fmt.Sprintf("Several feature flags have the key %s", m.Key),
			fmt.Sprintf("In project %s they are those with the ids %s. Give one of these as id in place of the key.", project, idsOf(found)))
		return api.FeatureFlagDetail{}, nil
	}

	keys, err := keysOf(ctx, d.Client, project)
	if err != nil {
		return api.FeatureFlagDetail{}, err
	}
	diags.AddAttributeError(path.Root("key"), fmt.Sprintf("No feature flag has the key %s", m.Key), notFound(project, m.Key.ValueString(), keys))
	return api.FeatureFlagDetail{}, nil
}

// matching are the flags with exactly the key: the service searches for parts of keys and
// names.
func matching(ctx context.Context, c *client.Client, project, key string) ([]api.FeatureFlagDetail, error) {
	var found []api.FeatureFlagDetail
	for flag, err := range c.FeatureFlags(ctx, project, client.FlagOptions{Search: key}) {
		if err != nil {
			return nil, err
		}
		if flag.Key != nil && *flag.Key == key {
			found = append(found, flag)
		}
	}
	return found, nil
}

// keysOf are the keys of all flags of a project.
func keysOf(ctx context.Context, c *client.Client, project string) ([]string, error) {
	var keys []string
	for flag, err := range c.FeatureFlags(ctx, project, client.FlagOptions{}) {
		if err != nil {
			return nil, err
		}
		if flag.Key != nil {
			keys = append(keys, *flag.Key)
		}
	}
	return keys, nil
}

func idsOf(flags []api.FeatureFlagDetail) string {
	var ids []string
	for _, flag := range flags {
		if flag.ID != nil {
			ids = append(ids, strconv.FormatInt(*flag.ID, 10))
		}
	}
	return strings.Join(ids, ", ")
}

// notFound says where a key was looked for, and which one was probably meant.
func notFound(project, key string, keys []string) string {
	text := fmt.Sprintf("Looked through the %d feature flags of project %s", len(keys), project)
	if len(keys) == 1 {
		text = "Looked at the one feature flag of project " + project
	}
	if near, ok := attribute.Nearest(key, keys); ok {
		text += fmt.Sprintf("; the nearest key is %q", near)
	}
	return text + ". Keys are compared exactly. Deleted flags, and those that the service created for a survey, are not among them."
}

// fill sets the attributes from a response.
func (m *flagModel) fill(flag api.FeatureFlagDetail) {
	m.ID, m.Key, m.Name = types.Int64PointerValue(flag.ID), types.StringPointerValue(flag.Key), types.StringPointerValue(flag.Name)
	m.Active, m.Deleted = types.BoolPointerValue(flag.Active), types.BoolPointerValue(flag.Deleted)
	m.Tags = flag.Tags

	m.RolloutPercentage = types.NumberNull()
	if number, ok := attribute.NumberOf(flag.RolloutPercentage); ok {
		m.RolloutPercentage = number
	}
	m.Filters = types.StringNull()
	if text, err := json.Marshal(flag.Filters); err == nil && flag.Filters != nil {
		m.Filters = types.StringValue(string(text))
	}
}

var _ datasource.DataSourceWithConfigure = (*cohortDataSource)(nil)

// cohortDataSource is the data source posthog_cohort: one cohort, by its id.
type cohortDataSource struct{ DataSource }

// NewCohort returns the data source posthog_cohort, not configured yet.
func NewCohort() datasource.DataSource { return &cohortDataSource{} }

type cohortModel struct {
	ProjectID types.String `tfsdk:"project_id"`
	ID        types.Int64  `tfsdk:"id"`
	Name      types.String `tfsdk:"name"`
	IsStatic  types.Bool   `tfsdk:"is_static"`
	Filters   types.String `tfsdk:"filters"`
}

// Metadata implements datasource.DataSource.
func (d *cohortDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_cohort"
}

// Schema implements datasource.DataSource.
func (d *cohortDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
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
func (d *cohortDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := Lookup(ctx, &resp.Diagnostics)
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
		attempt := Attempt{Verb: "read", Noun: "cohort", ID: strconv.FormatInt(m.ID.ValueInt64(), 10), Parent: "project " + project.ValueString()}
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

var _ datasource.DataSourceWithConfigure = (*projectDataSource)(nil)

// projectDataSource is the data source posthog_project: the project of the provider, or one by its id.
type projectDataSource struct{ DataSource }

// NewProject returns the data source posthog_project, not configured yet.
func NewProject() datasource.DataSource { return &projectDataSource{} }

type projectModel struct {
	ID             types.Int64  `tfsdk:"id"`
	OrganizationID types.String `tfsdk:"organization_id"`
	Name           types.String `tfsdk:"name"`
	SurveysOptIn   types.Bool   `tfsdk:"surveys_opt_in"`
}

// Metadata implements datasource.DataSource.
func (d *projectDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_project"
}

// Schema implements datasource.DataSource.
func (d *projectDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
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
func (d *projectDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := Lookup(ctx, &resp.Diagnostics)
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
		attempt := Attempt{Verb: "read", Noun: "project", ID: id.ValueString(), Parent: "project " + id.ValueString()}
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
