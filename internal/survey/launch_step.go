package survey

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// The service creates the flag for targeting_flag_filters switched off, also when the survey
// runs from the start, and switches the flags of a survey on or off with each update. So a
// survey that is to run with filters is created as a draft and then launched, as in the web
// interface.

// LaunchSeparately splits the request of a create: into that of a draft, and that which
// launches it. It returns false, and the request as it is, if one request is enough.
func LaunchSeparately(request api.SurveyRequest) (draft, launch api.SurveyRequest, isSplit bool) {
	start, err := request.StartDate.Get()
	archived, _ := request.Archived.Get()
	filters, _ := request.TargetingFlagFilters.Get()
	_, endErr := request.EndDate.Get()
	isRunning := err == nil && start != "" && endErr != nil && !archived
	if !isRunning || len(keysOf(jsontypes.NewNormalizedValue(string(filters)))) == 0 {
		return request, api.SurveyRequest{}, false
	}

	draft, launch = request, startRequest(request)
	draft.StartDate = nil
	return draft, launch, true
}

// startRequest is the start date of a request, with the companions that every update needs.
func startRequest(request api.SurveyRequest) api.SurveyRequest {
	start := api.SurveyRequest{StartDate: request.StartDate}
	raw, err := request.Conditions.Get()
	if err != nil {
		return start
	}

	conditions := jsontypes.NewNormalizedValue(string(raw))
	if !linksActions(conditions) {
		return start
	}
	start.Conditions = request.Conditions
	if !attribute.IsJSONNull(keysOf(conditions)["linkedFlagVariant"]) {
		start.LinkedFlagID = request.LinkedFlagID
	}
	return start
}

// launchCreated launches a survey that was created as a draft. When that fails, what was
// planned becomes what there is: a draft.
func launchCreated(ctx context.Context, surveys *client.Surveys, created api.Survey, launch api.SurveyRequest, planned *Fields, diags *diag.Diagnostics) api.Survey {
	launched, err := surveys.Update(ctx, *created.ID, launch)
	if err == nil {
		return launched
	}
	// The service may have carried it out, and its response been lost.
	if live, readErr := surveys.Retrieve(ctx, *created.ID); readErr == nil {
		if start, _ := live.StartDate.Get(); start != "" {
			return live
		}
	}

	f := *planned
	f.ID = types.StringPointerValue(created.ID)
	failed := attempt(verbLaunch, f).Diagnostic(err, attributePaths)
	diags.AddError(failed.Summary(), failed.Detail()+fmt.Sprintf("\n\nThe survey was created, with id %s, and is a draft: nobody has seen it. "+
		"Terraform marks it as tainted, so the next apply deletes this draft and creates the survey again. "+
		"To keep it, and always with deletion_policy = \"archive\" or \"abandon\", run terraform untaint with the address of the survey first: "+
		"the next apply then launches it.", *created.ID))

	planned.StartDate, planned.Status = types.StringNull(), types.StringValue(statusDraft)
	return created
}
