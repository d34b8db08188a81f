package terraform

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/lookup"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

type listModel struct {
	ProjectID types.String    `tfsdk:"project_id"`
	Name      types.String    `tfsdk:"name"`
	Type      types.String    `tfsdk:"type"`
	Status    types.String    `tfsdk:"status"`
	Archived  types.Bool      `tfsdk:"archived"`
	Surveys   []survey.Fields `tfsdk:"surveys"`
}

// NewListDataSource returns the data source posthog_surveys, not configured yet: the surveys
// of a project.
func NewListDataSource() datasource.DataSource {
	return &lookup.ListDataSource[listModel, survey.Fields, *listModel]{
		Objects:    lookup.Objects[survey.Fields]{TypeName: "surveys", Plural: "surveys", Parent: lookup.Project, All: surveysOf},
		Attributes: listSchema,
	}
}

func listSchema() schema.Schema {
	return schema.Schema{
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
				NestedObject: schema.NestedAttributeObject{Attributes: returnedAttributes()},
			},
		},
	}
}

// surveysOf are the surveys of a project, newest first. One that cannot be read ends them.
func surveysOf(ctx context.Context, c *client.Client, project types.String) iter.Seq2[survey.Fields, error] {
	return func(yield func(survey.Fields, error) bool) {
		for wire, err := range c.Surveys(project.ValueString()).List(ctx, client.ListOptions{}) {
			var fields survey.Fields
			if err == nil {
				fields, err = survey.FromAPI(ctx, wire, survey.Fields{ProjectID: project}, &attribute.Response{})
			}
			if !yield(fields, err) || err != nil {
				return
			}
		}
	}
}

// ParentID implements lookup.Filter.
func (m *listModel) ParentID() *types.String { return &m.ProjectID }

// Found implements lookup.List.
func (m *listModel) Found() *[]survey.Fields { return &m.Surveys }

// Matches implements lookup.Filter.
func (m *listModel) Matches(f survey.Fields) bool {
	return (m.Name.IsNull() || m.Name.Equal(f.Name)) &&
		(m.Type.IsNull() || m.Type.Equal(f.Type)) &&
		(m.Status.IsNull() || m.Status.Equal(f.Status)) &&
		(m.Archived.IsNull() || m.Archived.Equal(f.Archived))
}
