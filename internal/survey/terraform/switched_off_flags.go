package terraform

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// A survey that runs while one of its own flags is off is shown to nobody. If the flag has
// been off since Terraform knows it, nobody switched it off: it was never switched on, as
// after a create in one request. The plan says so, and the apply switches it on. A flag that
// was on before, or that was off when the survey was imported, may be off on purpose, and
// stays off until the survey is changed: the service switches flags with every update.

// isPaused reports whether the flags of a survey may be off on purpose, after a read.
func isPaused(stored, prior survey.Fields, isImport, wasPaused bool) bool {
	isOff, wasOn := len(switchedOffFlags(stored)) > 0, survey.IsRunning(prior) && len(switchedOffFlags(prior)) == 0
	return isOff && (wasOn || isImport || wasPaused)
}

// switchedOffFlags are the keys of the survey's own flags that are off although it runs.
func switchedOffFlags(f survey.Fields) []string {
	if !survey.IsRunning(f) {
		return nil
	}

	var off []string
	flags := []types.Object{f.InternalTargetingFlag}
	if !f.TargetingFlagFilters.IsNull() { // another flag belongs to whoever made it
		flags = append(flags, f.TargetingFlag)
	}
	for _, flag := range flags {
		active, isKnown := flag.Attributes()["active"].(types.Bool)
		key, _ := flag.Attributes()["key"].(types.String)
		if isKnown && active.Equal(types.BoolValue(false)) {
			off = append(off, key.ValueString())
		}
	}
	return off
}

// hasFlagsOff is switchedOffFlags for a state that the fast path does not decode, of a
// survey that is not archived only if it says so.
func hasFlagsOff(o fastpath.Object) bool {
	return o.String("status") == survey.StatusRunning && o.IsFalse("archived") &&
		(o.Object("internal_targeting_flag").IsFalse("active") ||
			o.String("targeting_flag_filters") != "" && o.Object("targeting_flag").IsFalse("active"))
}

// planSwitchOn plans that the flags of a running survey are switched on, and says so.
func planSwitchOn(planned *survey.Fields, prior survey.Fields, isPaused bool, diags *diag.Diagnostics) {
	off := switchedOffFlags(prior)
	if len(off) == 0 || planned.Status.ValueString() != survey.StatusRunning || planned.Archived.ValueBool() {
		return
	}

	c := survey.Change{Planned: *planned, Prior: prior}
	isWritten := !planned.InternalTargetingFlag.Equal(prior.InternalTargetingFlag) || !planned.TargetingFlag.Equal(prior.TargetingFlag)
	which := fmt.Sprintf("survey %q runs, and is shown to nobody, because its feature flag %s is off", prior.Name.ValueString(), strings.Join(off, ", "))
	switch {
	case !isPaused:
		planned.InternalTargetingFlag = c.Flag(planned.InternalTargetingFlag, false)
		planned.TargetingFlag = c.Flag(planned.TargetingFlag, false)
		diags.AddAttributeWarning(path.Root("status"), fmt.Sprintf("Survey %q runs and is shown to nobody", prior.Name.ValueString()),
			"S"+which[1:]+". It was never switched on, as after a create in one request. The apply switches it on. To keep the survey from being shown, set status = \"draft\" or \"completed\".")
	case isWritten:
		diags.AddAttributeWarning(path.Root("status"), fmt.Sprintf("The update shows survey %q again", prior.Name.ValueString()),
			"S"+which[1:]+". It was switched off outside of Terraform, and the service switches it on with every update of a running survey. "+
				"To keep the survey from being shown, set status = \"completed\".")
	}
}

// switchOnRequest is the update that changes nothing and lets the service switch flags on;
// empty when the plan switches none.
func switchOnRequest(ctx context.Context, planned, prior survey.Fields, diags *diag.Diagnostics) api.SurveyRequest {
	isOn := planned.InternalTargetingFlag.Equal(prior.InternalTargetingFlag) && planned.TargetingFlag.Equal(prior.TargetingFlag)
	if isOn || len(switchedOffFlags(prior)) == 0 {
		return api.SurveyRequest{}
	}
	return startAgain(ctx, prior, diags)
}

// startAgain is the update that gives a survey the start date that it has.
func startAgain(ctx context.Context, f survey.Fields, diags *diag.Diagnostics) api.SurveyRequest {
	draft := f
	draft.StartDate = types.StringNull()
	return survey.ToAPI(ctx, f, draft, uuid.NewString, diags)
}
