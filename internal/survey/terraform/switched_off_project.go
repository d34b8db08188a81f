package terraform

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

// warnOfSwitchedOff warns that a launched survey is not shown because its project does not
// show surveys. External surveys have their own page, which ignores that setting.
func (r *Resource) warnOfSwitchedOff(ctx context.Context, planned, prior survey.Model, diags *diag.Diagnostics) {
	if !check.Launches(planned.Fields, prior.Fields) || planned.Type.ValueString() == "external_survey" {
		return
	}
	if r.Data == nil || r.Client == nil || planned.ProjectID.IsUnknown() {
		return
	}

	project := planned.ProjectID.ValueString()
	if on, known := r.Client.Surveys(project).SwitchedOn(ctx); known && !on {
		diags.AddAttributeWarning(path.Root("status"), survey.TitleOf("Surveys are switched off in the project", planned.Name),
			fmt.Sprintf("Survey %q is launched and nobody sees it: project %s does not show surveys. "+
				"Switch them on in the project's settings, under Surveys; no write of a survey does that.",
				planned.Name.ValueString(), project))
	}
}
