package terraform

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// launchCreated launches a survey that was created as a draft. When that fails, what was
// planned becomes what there is: a draft.
func launchCreated(ctx context.Context, surveys *client.Surveys, created api.Survey, launch api.SurveyRequest, planned *survey.Fields, diags *diag.Diagnostics) api.Survey {
	launched, err := surveys.ChangeCreated(ctx, *created.ID, created, survey.LaunchOf(created, launch))
	if err == nil {
		return launched
	}

	// The service may have carried it out, and its response been lost.
	state := "is a draft: nobody has seen it"
	live, readErr := surveys.Retrieve(ctx, *created.ID)
	if start, _ := live.StartDate.Get(); readErr == nil && start != "" {
		return live
	}
	if readErr != nil {
		state = "may be running: it could not be read again"
	}

	f := *planned
	f.ID = types.StringPointerValue(created.ID)
	failed := attempt(verbLaunch, f).Diagnostic(err, attributePaths)
	diags.AddError(failed.Summary(), failed.Detail()+fmt.Sprintf("\n\nThe survey was created, with id %s, and %s. "+
		"Terraform marks it as tainted, so the next apply deletes it and creates the survey again. "+
		"To keep it, and always with deletion_policy = \"archive\" or \"abandon\", run terraform untaint with the address of the survey first: "+
		"the next apply then launches it.", *created.ID, state))

	planned.StartDate, planned.Status = types.StringNull(), types.StringValue(survey.StatusDraft)
	return created
}
