package terraform

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// stoppedKey is the key of the private state that remembers a stop by the service.
const stoppedKey = "stopped"

// stop is a stop of the survey by the service because it has responses_limit responses: the
// service sets the end date and removes the limit. A configuration with the same limit must
// not launch the survey again.
type stop struct {
	ResponsesLimit int64 `json:"responses_limit"`
}

func loadStop(ctx context.Context, private attribute.PrivateState, name types.String, diags *diag.Diagnostics) *stop {
	raw, found := private.GetKey(ctx, stoppedKey)
	diags.Append(found...)
	var remembered *stop
	if len(raw) > 0 && json.Unmarshal(raw, &remembered) != nil {
		diags.AddWarning(survey.TitleOf("Cannot read from the private state who stopped the survey", name),
			"The private state does not say whether the service stopped the survey at its responses_limit. Look at the plan before you apply it.")
	}
	return remembered
}

func (s *stop) save(ctx context.Context, private attribute.PrivateState, diags *diag.Diagnostics) {
	// A struct of one number always encodes; nil becomes null.
	raw, _ := json.Marshal(s)
	diags.Append(private.SetKey(ctx, stoppedKey, raw)...)
}

// detectStop finds a new or continuing stop at the limit in a response. It keeps the limit
// in the state: the user configured it, so its removal is no drift. The survey may have been
// launched in the web interface since the last read, and launched again after an earlier end.
func detectStop(answered *survey.Fields, prior survey.Fields, remembered *stop) *stop {
	isStopped := !answered.EndDate.IsNull() && answered.ResponsesLimit.IsNull() && !prior.ResponsesLimit.IsNull()
	justNow := isStopped && !answered.StartDate.IsNull() && !answered.EndDate.Equal(prior.EndDate)
	lasts := isStopped && remembered != nil && remembered.ResponsesLimit == prior.ResponsesLimit.ValueInt64()
	if !justNow && !lasts {
		return nil
	}
	answered.ResponsesLimit = prior.ResponsesLimit
	return &stop{ResponsesLimit: prior.ResponsesLimit.ValueInt64()}
}

// applies reports whether the survey stays stopped under a configuration: as long as the
// limit is the one that was reached.
func (s *stop) applies(config survey.Fields) bool {
	return s != nil && config.Status.ValueString() == survey.StatusRunning && config.ResponsesLimit.Equal(types.Int64Value(s.ResponsesLimit))
}

func (s *stop) warn(prior survey.Fields, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("status"), survey.TitleOf("The survey reached its responses_limit and stays stopped", prior.Name),
		fmt.Sprintf("The service stopped the survey %s on %s, when it had %d responses. status = \"running\" does not launch it again by itself. "+
			"To run it again, raise responses_limit or remove it. To accept that it is over, set status = \"completed\", or remove status.",
			prior.Name, prior.EndDate.ValueString(), s.ResponsesLimit))
}
