package terraform

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// ModifyPlan implements resource.ResourceWithModifyPlan: it plans attributes that depend on
// each other, and runs the checks that need the prior state. Plan modifiers for a single
// attribute are in the schema.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var config, planned, prior survey.Model
	if req.Plan.Raw.IsNull() {
		attribute.Decode(ctx, req.State.Raw, surveyschema.ObjectType(), &prior, &resp.Diagnostics)
		if !resp.Diagnostics.HasError() {
			warnOfDestroy(existingOf(prior), &resp.Diagnostics)
			r.planDestroy(existingOf(prior), &resp.Diagnostics)
			r.refuseAnswered(ctx, existingOf(prior), &resp.Diagnostics)
		}
		return
	}

	attribute.Decode(ctx, req.Config.Raw, surveyschema.ObjectType(), &config, &resp.Diagnostics)
	attribute.Decode(ctx, req.Plan.Raw, surveyschema.ObjectType(), &planned, &resp.Diagnostics)
	isNew := req.State.Raw.IsNull()
	if !isNew {
		attribute.Decode(ctx, req.State.Raw, surveyschema.ObjectType(), &prior, &resp.Diagnostics)
	}
	questions, left := unchangedQuestions(ctx, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if left {
		config.Questions, planned.Questions, prior.Questions = questions, questions, questions
	}

	r.planProject(config, &planned, prior, &resp.Diagnostics)

	wanted := config.Fields
	if stopped := loadStop(ctx, req.Private, prior.Name, &resp.Diagnostics); !isNew && stopped.applies(wanted) {
		stopped.warn(prior.Fields, &resp.Diagnostics)
		wanted.Status = prior.Status
	}
	planLifecycle(wanted, &planned.Fields, prior.Fields, &resp.Diagnostics)

	var past survey.QuestionHistory
	if !isNew {
		past = survey.LoadHistory(ctx, req.Private, prior.Name, &resp.Diagnostics)
		planSchedule(config.Fields, &planned.Fields, prior.Fields)
		survey.PlanComputed(config.Fields, &planned.Fields, prior.Fields)
		planSwitchOn(&planned.Fields, prior.Fields, loadPaused(ctx, req.Private, &resp.Diagnostics), &resp.Diagnostics)
	}

	r.warnOfLosses(ctx, planned, prior, &resp.Diagnostics)
	check.WarnOfRun(planned.Fields, prior.Fields, r.now(), &resp.Diagnostics)
	r.warnOfSwitchedOff(ctx, planned, prior, &resp.Diagnostics)
	check.Plan(config.Fields, planned.Fields, prior.Fields, past, r.now(), &resp.Diagnostics)

	if resp.Diagnostics.HasError() {
		return
	}
	if left {
		planned.Questions = types.ListNull(survey.QuestionType)
	}
	attribute.Encode(ctx, planned, surveyschema.ObjectType(), &resp.Plan.Raw, &resp.Diagnostics)
}

// warnOfLosses warns of what a plan deletes or leaves behind besides the survey.
func (r *Resource) warnOfLosses(ctx context.Context, planned, prior survey.Model, diags *diag.Diagnostics) {
	if prior.ID.IsNull() {
		if replaced, ok := r.planCreate(planned, diags); ok {
			r.refuseAnswered(ctx, replaced, diags)
		}
		return
	}

	if planned.Name.IsUnknown() || planned.Name.Equal(prior.Name) {
		remember(r.Data, existingOf(prior), stays)
	} else {
		forget(r.Data, prior.Fields) // a create after the rename may have the name
	}
	warnOfPolicy(planned, prior, diags)
	if !planned.ProjectID.IsUnknown() && !planned.ProjectID.Equal(prior.ProjectID) {
		warnOfReplacement(existingOf(prior), diags)
		r.refuseAnswered(ctx, existingOf(prior), diags)
		return
	}
	warnOfTargetingChange(planned.Fields, prior.Fields, diags)
}

// now is the provider's time, zero before the provider is configured.
func (r *Resource) now() time.Time {
	if r.Data == nil || r.Now == nil {
		return time.Time{}
	}
	return r.Now()
}

// planProject plans the project of a survey whose configuration omits it. If the provider
// has another project than before the survey stays: a changed environment variable must not
// destroy surveys.
func (r *Resource) planProject(config survey.Model, planned *survey.Model, prior survey.Model, diags *diag.Diagnostics) {
	if !config.ProjectID.IsNull() {
		return
	}

	project := ""
	if r.Data != nil {
		project = r.ProjectID
	}

	switch {
	case !prior.ProjectID.IsNull():
		planned.ProjectID = prior.ProjectID
		if project != "" && project != prior.ProjectID.ValueString() {
			// One title for all surveys, so that Terraform folds the warnings of one cause.
			diags.AddAttributeWarning(path.Root("project_id"), fmt.Sprintf("The provider's project is %s, and surveys stay in project %s", project, prior.ProjectID.ValueString()),
				fmt.Sprintf("The provider's project is %s, but the survey %s is in project %s and stays there. "+
					"To move it, set project_id in the resource: that replaces the survey, and its answers stay behind.",
					project, prior.Name, prior.ProjectID.ValueString()))
		}
	case project != "":
		planned.ProjectID = types.StringValue(project)
	case r.Data == nil || r.Client == nil:
		planned.ProjectID = types.StringUnknown()
	default:
		providerdata.MissingProject(diags)
	}
}
