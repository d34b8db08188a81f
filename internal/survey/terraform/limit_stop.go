package terraform

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// detectStop finds a new or continuing stop at the limit in a response. It keeps the limit
// in the state: the user configured it, so its removal is no drift. The survey may have been
// launched in the web interface since the last read, and launched again after an earlier end.
func detectStop(answered *survey.Fields, prior survey.Fields, remembered *survey.LimitStop) *survey.LimitStop {
	isStopped := !answered.EndDate.IsNull() && answered.ResponsesLimit.IsNull() && !prior.ResponsesLimit.IsNull()
	justNow := isStopped && !answered.StartDate.IsNull() && !answered.EndDate.Equal(prior.EndDate)
	lasts := isStopped && remembered != nil && remembered.ResponsesLimit == prior.ResponsesLimit.ValueInt64()
	if !justNow && !lasts {
		return nil
	}
	answered.ResponsesLimit = prior.ResponsesLimit
	return &survey.LimitStop{ResponsesLimit: prior.ResponsesLimit.ValueInt64()}
}

// staysStopped reports whether the survey stays stopped under a configuration: as long as the
// limit is the one that was reached.
func staysStopped(s *survey.LimitStop, config survey.Fields) bool {
	return s != nil && config.Status.ValueString() == survey.StatusRunning && config.ResponsesLimit.Equal(types.Int64Value(s.ResponsesLimit))
}

func warnOfStop(s *survey.LimitStop, prior survey.Fields, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("status"), survey.TitleOf("The survey reached its responses_limit and stays stopped", prior.Name),
		fmt.Sprintf("The service stopped the survey %s on %s, when it had %d responses. status = \"running\" does not launch it again by itself. "+
			"To run it again, raise responses_limit or remove it. To accept that it is over, set status = \"completed\", or remove status.",
			prior.Name, prior.EndDate.ValueString(), s.ResponsesLimit))
}
