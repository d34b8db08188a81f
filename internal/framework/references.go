package framework

import (
	"context"
	"encoding/json"
	"fmt"
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

// These data sources read the objects that surveys refer to by ID: feature flags, cohorts, and projects. If a PostHog
// server lacks these routes, the error suggests an alternative. The attributes have the same names and types as in
// provider posthog/posthog's resources.

// readDiagnostic converts an error of a read.
func readDiagnostic(attempt Attempt, plural string, err error) diag.Diagnostic {
	if client.IsEndpointNotFound(err) {
		return diag.NewErrorDiagnostic(attempt.Title(), fmt.Sprintf("%s\n\nThis PostHog instance does not serve %s to API keys. "+
			"Instead of the data source, use the ID, which is the number at the end of the URL in PostHog.", err, plural))
	}
	return attempt.Diagnostic(err, nil)
}

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

// NewFeatureFlag returns the data source posthog_feature_flag, which reads one flag by key or ID. It is not
// configured yet.
func NewFeatureFlag() datasource.DataSource {
	return &DataSource[flagModel]{
		TypeName: "feature_flag", Describe: flagSchema, OneOf: []string{"id", "key"},
		Parent: Project, ParentID: func(m *flagModel) *types.String { return &m.ProjectID },
		Fill: func(ctx context.Context, data *Data, m *flagModel, diags *diag.Diagnostics) {
			flag, err := m.find(ctx, data.Client, diags)
			if err != nil {
				diags.Append(readDiagnostic(m.attempt(), "feature flags", err))
			}
			m.fill(flag)
		},
	}
}

func flagSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Reads one of a project's feature flags, by key or ID. Use it to set a survey's `linked_flag_id` or `targeting_flag_id`. " +
			"Flags that PostHog creates for a survey can't be found by key. The API key needs the scope `feature_flag:read`.",
		Attributes: map[string]schema.Attribute{
			"id":                 schema.Int64Attribute{Optional: true, Computed: true, MarkdownDescription: "ID of the flag. Set either `id` or `key`."},
			"key":                schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "Key of the flag in code. Set either `id` or `key`."},
			"name":               schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the flag, which PostHog displays as its description."},
			"active":             schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the flag is switched on. If not, it is off for all people."},
			"deleted":            schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the flag was deleted. A deleted flag can be found only by ID."},
			"filters":            schema.StringAttribute{Computed: true, MarkdownDescription: "Release conditions, as JSON."},
			"rollout_percentage": schema.NumberAttribute{Computed: true, MarkdownDescription: "Percentage of all people for whom the flag is on. Null if its release conditions contain more than a percentage."},
			"tags":               schema.SetAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "Tags of the flag."},
		},
	}
}

// attempt describes the read in errors.
func (m *flagModel) attempt() Attempt {
	attempt := Attempt{Verb: "read", Noun: "feature flag", Name: m.Key.ValueString(), Parent: Project.Label(m.ProjectID.ValueString())}
	if !m.ID.IsNull() {
		attempt.ID = m.ID.String()
	}
	return attempt
}

// find reads the flag by its ID, or finds it by its key. If no flag or several flags match, it adds an error to
// diags.
func (m *flagModel) find(ctx context.Context, c *client.Client, diags *diag.Diagnostics) (flag api.FeatureFlagDetail, err error) {
	project := m.ProjectID.ValueString()
	if m.Key.IsNull() {
		return c.FeatureFlag(ctx, project, m.ID.ValueInt64())
	}

	// PostHog also returns flags whose key or name merely contains the text.
	var found []api.FeatureFlagDetail
	for flag, err := range c.FeatureFlags(ctx, project, client.FlagOptions{Search: m.Key.ValueString()}) {
		if err != nil {
			return flag, err
		}
		if flag.Key != nil && *flag.Key == m.Key.ValueString() {
			found = append(found, flag)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		diags.AddAttributeError(path.Root("key"), fmt.Sprintf("Feature flag %s was not found", m.Key),
			fmt.Sprintf("Project %s does not have a feature flag with this key. Keys must match exactly. Deleted flags, and flags that PostHog created for a survey, can't be found by key.", project))
	default:
		var ids []string
		for _, flag := range found {
			ids = append(ids, types.Int64PointerValue(flag.ID).String())
		}
		diags.AddAttributeError(path.Root("key"), fmt.Sprintf("Several feature flags have the key %s", m.Key),
			fmt.Sprintf("In project %s, the flags with the IDs %s have this key. Set id to one of them instead of setting key.", project, strings.Join(ids, ", ")))
	}
	return flag, nil
}

// fill sets the attributes from a response.
func (m *flagModel) fill(flag api.FeatureFlagDetail) {
	m.ID, m.Key, m.Name = types.Int64PointerValue(flag.ID), types.StringPointerValue(flag.Key), types.StringPointerValue(flag.Name)
	m.Active, m.Deleted = types.BoolPointerValue(flag.Active), types.BoolPointerValue(flag.Deleted)
	m.Tags = flag.Tags

	m.RolloutPercentage = types.NumberNull()
	if number, ok := attribute.NumberField(flag.RolloutPercentage); ok {
		m.RolloutPercentage = number
	}
	m.Filters = types.StringNull()
	if text, err := json.Marshal(flag.Filters); err == nil && flag.Filters != nil {
		m.Filters = types.StringValue(string(text))
	}
}

type cohortModel struct {
	ProjectID types.String `tfsdk:"project_id"`
	ID        types.Int64  `tfsdk:"id"`
	Name      types.String `tfsdk:"name"`
	IsStatic  types.Bool   `tfsdk:"is_static"`
	Filters   types.String `tfsdk:"filters"`
}

// NewCohort returns the data source posthog_cohort, which reads one cohort by ID. It is not configured yet.
func NewCohort() datasource.DataSource {
	return &DataSource[cohortModel]{
		TypeName: "cohort", Describe: cohortSchema, Parent: Project, ParentID: func(m *cohortModel) *types.String { return &m.ProjectID },
		Fill: func(ctx context.Context, data *Data, m *cohortModel, diags *diag.Diagnostics) {
			project := m.ProjectID.ValueString()
			cohort, err := data.Client.Cohort(ctx, project, m.ID.ValueInt64())
			if err != nil {
				diags.Append(readDiagnostic(Attempt{Verb: "read", Noun: "cohort", ID: m.ID.String(), Parent: Project.Label(project)}, "cohorts", err))
			}
			m.Name, m.IsStatic = attribute.StringField(cohort.Name), types.BoolPointerValue(cohort.IsStatic)
			if filters, err := cohort.Filters.Get(); err == nil {
				m.Filters = types.StringValue(string(filters))
			}
		},
	}
}

func cohortSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Reads one of a project's cohorts, by ID. Use it for properties of type `cohort` in a survey's `targeting_flag_filters`. " +
			"If the cohort doesn't exist, the plan fails. To check its attributes, use `precondition`. The API key needs the scope `cohort:read`.",
		Attributes: map[string]schema.Attribute{
			"id":        schema.Int64Attribute{Required: true, MarkdownDescription: "ID of the cohort, which is the number at the end of its URL in PostHog."},
			"name":      schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the cohort."},
			"is_static": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the cohort is a fixed list of people."},
			"filters": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Conditions of the cohort, as JSON. Surveys don't accept cohorts with conditions on events (`behavioral`).",
			},
		},
	}
}

type projectModel struct {
	ID             types.Int64  `tfsdk:"id"`
	OrganizationID types.String `tfsdk:"organization_id"`
	Name           types.String `tfsdk:"name"`
	SurveysOptIn   types.Bool   `tfsdk:"surveys_opt_in"`
}

// NewProject returns the data source posthog_project, which reads the provider's project, or a different one by ID.
// It is not configured yet.
func NewProject() datasource.DataSource {
	return &DataSource[projectModel]{TypeName: "project", Describe: projectSchema, Fill: readProject}
}

func projectSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Reads the name and the organization of a project, and whether it shows surveys. The API key needs the scope `project:read`.",
		Attributes: map[string]schema.Attribute{
			"id":              schema.Int64Attribute{Optional: true, Computed: true, MarkdownDescription: "ID of the project. Defaults to the `project_id` of the provider."},
			"organization_id": schema.StringAttribute{Computed: true, MarkdownDescription: "ID of the organization that the project belongs to."},
			"name":            schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the project."},
			"surveys_opt_in": schema.BoolAttribute{
				Computed:            true,
				MarkdownDescription: "Whether the project shows surveys in apps. Also `false` if surveys were never switched on.",
			},
		},
	}
}

func readProject(ctx context.Context, data *Data, m *projectModel, diags *diag.Diagnostics) {
	lookupID := types.StringNull()
	if !m.ID.IsNull() {
		lookupID = types.StringValue(m.ID.String())
	}
	id, ok := Project.Find(data, lookupID, diags)
	if !ok {
		return
	}

	project, err := data.Client.Project(ctx, id.ValueString())
	if err != nil {
		diags.Append(readDiagnostic(Attempt{Verb: "read", Noun: "project", ID: id.ValueString(), Parent: Project.Label(id.ValueString())}, "projects", err))
	}
	*m = projectModel{
		ID: types.Int64PointerValue(project.ID), OrganizationID: types.StringPointerValue(project.Organization),
		Name: types.StringPointerValue(project.Name), SurveysOptIn: types.BoolValue(attribute.BoolField(project.SurveysOptIn).ValueBool()),
	}
}
