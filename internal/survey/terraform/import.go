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

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/protocol"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

type listResourceModel struct{ listFilter }

// NewListResource returns the list resource posthog_survey, which lists the surveys of a project
// for terraform query. It is not configured yet.
func NewListResource() list.ListResource {
	return &framework.ListResource[listResourceModel, survey.Fields, *listResourceModel]{
		Objects: framework.Objects[survey.Fields]{TypeName: "survey", Plural: "surveys", Parent: framework.Project, All: listSurveys},
		Schema:  listResourceSchema,
		Name:    func(f survey.Fields) string { return f.Name.ValueString() },
		State:   importedState,
	}
}

func listResourceSchema() schema.Schema {
	kinds, statuses := check.SurveyTypes.Values(), []string{survey.StatusDraft, survey.StatusRunning, survey.StatusCompleted}

	return schema.Schema{
		MarkdownDescription: "Lists the surveys of a project that match all filters, newest first. " +
			"Terraform stops after 100 surveys unless you set `limit`.",
		Attributes: map[string]schema.Attribute{
			"project_id": schema.StringAttribute{Optional: true, MarkdownDescription: framework.Project.WhereToLook()},
			"name":       schema.StringAttribute{Optional: true, MarkdownDescription: "Only surveys whose name contains this text. Case is ignored."},
			"type": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Only surveys of this type: one of `" + strings.Join(kinds, "`, `") + "`.",
				Validators: []validator.String{check.SurveyTypes},
			},
			"archived": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether to list only archived surveys (`true`) or only unarchived surveys (`false`). If omitted, both are listed."},
			"status": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Only surveys with this status: one of `" + strings.Join(statuses, "`, `") + "`.",
				Validators: []validator.String{attribute.OneOf(statuses...)},
			},
		},
	}
}

// importedState returns the state of a survey after an import.
func importedState(ctx context.Context, f survey.Fields, diags *diag.Diagnostics) tftypes.Value {
	return attribute.Edit(ctx, attribute.AllNull(ctx, surveyschema.ObjectType()), surveyschema.ObjectType(), func(m *survey.Model) {
		m.Fields = f
		m.DeletionPolicy = types.StringValue(surveyschema.PolicyDelete)
	}, diags)
}

// Matches implements framework.Filter.
func (m *listResourceModel) Matches(f survey.Fields) bool {
	return m.matches(f) && strings.Contains(strings.ToLower(f.Name.ValueString()), strings.ToLower(m.Name.ValueString()))
}

// GeneratedConfig describes how Terraform generates a survey's configuration. It contains the same
// attributes as posthog-sync export's output.
func GeneratedConfig() protocol.GeneratedConfig {
	return protocol.GeneratedConfig{Type: surveyschema.ObjectType().TerraformType(context.Background()), Configuration: generatedConfig}
}

func generatedConfig(ctx context.Context, data *framework.Data, state tftypes.Value, diags *diag.Diagnostics) tftypes.Value {
	return attribute.Edit(ctx, state, surveyschema.ObjectType(), func(m *survey.Model) {
		project := m.ProjectID
		m.Fields = surveyschema.MinimalConfiguration(m.Fields, surveyschema.ConfigurationOptions{}).Fields
		if project.ValueString() != framework.Project.Provided(data) {
			m.ProjectID = project
		}
		if m.DeletionPolicy.ValueString() == surveyschema.PolicyDelete {
			m.DeletionPolicy = types.StringNull()
		}
	}, diags)
}
