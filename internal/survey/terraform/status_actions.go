package terraform

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// verbLaunch is the verb for a launch in errors.
const verbLaunch = "launch"

type statusActionModel struct {
	ProjectID types.String `tfsdk:"project_id"`
	SurveyID  types.String `tfsdk:"survey_id"`
}

// statusAction returns an action that changes the dates of a survey. decide returns the changed
// survey and a progress message.
func statusAction(
	verb, description string, decide func(live survey.Fields, now types.String, diags *diag.Diagnostics) (survey.Fields, string),
) action.Action {
	return &framework.Action[statusActionModel]{
		TypeName:    "survey_" + verb,
		Description: description + " Omit `status` and the dates in the survey's configuration. Otherwise, the next apply undoes the change.",
		Attributes: map[string]schema.Attribute{
			"project_id": schema.StringAttribute{Optional: true, MarkdownDescription: "ID of the project that contains the survey. Defaults to the `project_id` of the provider."},
			"survey_id":  schema.StringAttribute{Required: true, MarkdownDescription: "UUID of the survey.", Validators: []validator.String{attribute.UUID}},
		},
		Parent: framework.Project, ParentID: func(m *statusActionModel) *types.String { return &m.ProjectID },
		Run: func(ctx context.Context, data *framework.Data, m *statusActionModel, resp *action.InvokeResponse) {
			changeStatus(ctx, data, m, resp, verb, decide)
		},
	}
}

// NewLaunchAction returns the action posthog_survey_launch, not configured yet.
func NewLaunchAction() action.Action {
	return statusAction(verbLaunch, "Launches a draft survey immediately. If the survey already runs and its feature flag is off, the action switches the flag on. Otherwise, a running survey stays unchanged. An archived or completed survey causes an error.", planLaunch)
}

// NewStopAction returns the action posthog_survey_stop, not configured yet.
func NewStopAction() action.Action {
	return statusAction("stop", "Stops a running survey immediately. A draft or completed survey stays unchanged.", planStop)
}

func planLaunch(f survey.Fields, now types.String, diags *diag.Diagnostics) (survey.Fields, string) {
	switch {
	case f.Archived.ValueBool():
		diags.AddError(attempt(verbLaunch, f).Title(), "The survey is archived. Set archived = false first.")
	case f.Status.ValueString() == survey.StatusCompleted:
		diags.AddError(attempt(verbLaunch, f).Title(),
			fmt.Sprintf("The survey ended on %s, and actions cannot resume a survey. Resume it in PostHog. If Terraform manages the survey, "+
				"set status = \"running\" in its configuration instead.", f.EndDate.ValueString()))
	case len(switchedOffFlags(f)) > 0:
		return f, fmt.Sprintf("Survey %q was running, but its feature flag was off. The survey is shown again.", f.Name.ValueString())
	case f.Status.ValueString() == survey.StatusRunning:
		return f, fmt.Sprintf("Survey %q is already running.", f.Name.ValueString())
	}

	f.StartDate = now
	return f, fmt.Sprintf("Survey %q is launched.", f.Name.ValueString())
}

func planStop(f survey.Fields, now types.String, _ *diag.Diagnostics) (survey.Fields, string) {
	if f.Status.ValueString() != survey.StatusRunning {
		return f, fmt.Sprintf("Survey %q is not running: its status is %s.", f.Name.ValueString(), f.Status.ValueString())
	}

	f.EndDate = now
	return f, fmt.Sprintf("Survey %q is stopped.", f.Name.ValueString())
}

// changeStatus reads the survey, sends the date changes that decide returns, if any, and reports
// the progress message.
func changeStatus(
	ctx context.Context, data *framework.Data, m *statusActionModel, resp *action.InvokeResponse, verb string,
	decide func(live survey.Fields, now types.String, diags *diag.Diagnostics) (survey.Fields, string),
) {
	tried, progress := attempt(verb, survey.Fields{ProjectID: m.ProjectID, ID: m.SurveyID}), ""
	_, err := data.Client.Surveys(m.ProjectID.ValueString()).Change(ctx, m.SurveyID.ValueString(), func(ctx context.Context, wire api.Survey) (api.SurveyRequest, error) {
		live, err := actionSurvey(ctx, wire, m.ProjectID)
		if err != nil {
			return api.SurveyRequest{}, err
		}

		tried = attempt(verb, live)
		changed, message := decide(live, types.StringValue(data.Now().UTC().Format(time.RFC3339)), &resp.Diagnostics)
		progress = message
		// A request with only the dates would unlink the survey's actions, so ToAPI adds companion
		// fields.
		request := survey.ToAPI(ctx, changed, live, uuid.NewString, &resp.Diagnostics)
		if verb == verbLaunch && survey.IsEmptyRequest(request) && len(switchedOffFlags(live)) > 0 {
			request = startAgain(ctx, live, &resp.Diagnostics)
		}
		if resp.Diagnostics.HasError() {
			return request, framework.ErrRefused
		}
		return request, nil
	})
	switch {
	case err == nil:
		resp.SendProgress(action.InvokeProgressEvent{Message: progress})
	case !errors.Is(err, framework.ErrRefused):
		resp.Diagnostics.Append(tried.Diagnostic(err, nil))
	}
}

// actionSurvey converts an action's survey. PostHog returns linked actions in full, but a request
// needs only their IDs.
func actionSurvey(ctx context.Context, wire api.Survey, project types.String) (survey.Fields, error) {
	live, err := survey.FromAPI(ctx, wire, survey.Fields{ProjectID: project}, &attribute.Response{})
	live.Conditions = surveyschema.PortableConditions(live.Conditions)
	return live, err
}
