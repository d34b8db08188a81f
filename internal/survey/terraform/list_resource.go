package terraform

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/lookup"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

type listResourceModel struct {
	ProjectID types.String `tfsdk:"project_id"`
	Name      types.String `tfsdk:"name"`
	Type      types.String `tfsdk:"type"`
	Archived  types.Bool   `tfsdk:"archived"`
	Status    types.String `tfsdk:"status"`
}

// NewListResource returns the list resource posthog_survey, not configured yet: the surveys
// of a project, for terraform query.
func NewListResource() list.ListResource {
	return &lookup.ListResource[listResourceModel, survey.Fields, *listResourceModel]{
		Objects:  lookup.Objects[survey.Fields]{TypeName: "survey", Plural: "surveys", Parent: lookup.Project, All: surveysOf},
		Schema:   listResourceSchema,
		Name:     func(f survey.Fields) string { return f.Name.ValueString() },
		Identity: func(f survey.Fields) any { return identityOf(f) },
		State:    importedState,
	}
}

func listResourceSchema() schema.Schema {
	kinds, statuses := check.SurveyTypes.Values(), []string{survey.StatusDraft, survey.StatusRunning, survey.StatusCompleted}

	return schema.Schema{
		MarkdownDescription: "The surveys of a project, newest first; those that match every given filter. " +
			"Terraform stops at 100 of them unless the block has a `limit`.",
		Attributes: map[string]schema.Attribute{
			"project_id": schema.StringAttribute{Optional: true, MarkdownDescription: "Project to look in; the `project_id` of the provider when left out."},
			"name":       schema.StringAttribute{Optional: true, MarkdownDescription: "Only surveys whose name contains this text, in any letter case."},
			"type": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Only surveys of this type: `" + strings.Join(kinds, "`, `") + "`.",
				Validators: []validator.String{check.SurveyTypes},
			},
			"archived": schema.BoolAttribute{Optional: true, MarkdownDescription: "Only archived surveys, or only others. Both when left out."},
			"status": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Only surveys with this status: `" + strings.Join(statuses, "`, `") + "`.",
				Validators: []validator.String{attribute.OneOf(statuses...)},
			},
		},
	}
}

// importedState is a survey as an import fills a state.
func importedState(ctx context.Context, f survey.Fields, diags *diag.Diagnostics) tftypes.Value {
	var m survey.Model
	attribute.Decode(ctx, attribute.AllNull(ctx, surveyschema.ObjectType()), surveyschema.ObjectType(), &m, diags)
	m.Fields = f
	m.DeletionPolicy = types.StringValue(surveyschema.PolicyDelete)

	var state tftypes.Value
	attribute.Encode(ctx, m, surveyschema.ObjectType(), &state, diags)
	return state
}

// ParentID implements lookup.Filter.
func (m *listResourceModel) ParentID() *types.String { return &m.ProjectID }

// Matches implements lookup.Filter.
func (m *listResourceModel) Matches(f survey.Fields) bool {
	return strings.Contains(strings.ToLower(f.Name.ValueString()), strings.ToLower(m.Name.ValueString())) &&
		(m.Type.IsNull() || m.Type.Equal(f.Type)) &&
		(m.Archived.IsNull() || m.Archived.Equal(f.Archived)) &&
		(m.Status.IsNull() || m.Status.Equal(f.Status))
}
