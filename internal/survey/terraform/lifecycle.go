package terraform

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
)

// lifecycle plans a survey's status and dates, and whether to switch on its flags.
//
// If one of a running survey's own flags is off, no respondent sees the survey. If the flag has
// been off since Terraform created the survey, it was never switched on, as after a create in one
// request. The plan then contains a warning, and the apply switches the flag on. If the flag was on
// before, or was off when the survey was imported, it may be off on purpose. It then stays off
// until the survey changes, because PostHog switches flags on with every update.
type lifecycle struct {
	// prior is the prior state, or zero for a new survey. memory belongs to prior.
	prior  survey.Fields
	memory survey.Memory
	config survey.Fields
}

// newLifecycle returns a configuration's lifecycle. If PostHog stopped a survey at its
// responses_limit and the limit is unchanged, the survey stays stopped, and the plan contains a
// warning.
func newLifecycle(config, prior survey.Fields, memory survey.Memory, diags *diag.Diagnostics) lifecycle {
	l := lifecycle{prior: prior, memory: memory, config: config}
	stopped := memory.Stopped
	if stopped == nil || config.Status.ValueString() != survey.StatusRunning || !config.ResponsesLimit.Equal(types.Int64Value(stopped.ResponsesLimit)) {
		return l
	}

	l.config.Status = prior.Status
	diags.AddAttributeWarning(path.Root("status"), survey.WarningTitle("The survey reached its responses_limit and stays stopped", prior.Name),
		fmt.Sprintf("PostHog stopped survey %s on %s, when it had %d responses. status = \"running\" alone does not launch it again. "+
			"To run it again, raise or remove responses_limit. To keep it stopped, set status = \"completed\", or remove status.",
			prior.Name, prior.EndDate.ValueString(), stopped.ResponsesLimit))
	return l
}

// afterRead records in the memory whether the flags may be off on purpose, and whether PostHog
// stopped the survey.
func afterRead(stored *survey.Fields, prior survey.Fields, memory *survey.Memory, isImport bool) {
	isOff, wasOn := len(switchedOffFlags(*stored)) > 0, survey.IsRunning(prior) && len(switchedOffFlags(prior)) == 0
	memory.IsPaused = isOff && (wasOn || isImport || memory.IsPaused)
	memory.Stopped = detectStop(stored, prior, memory.Stopped)
}

// detectStop detects whether PostHog stopped the survey at its responses_limit, now or earlier. It
// keeps the configured limit in the state, so that PostHog's removal of the limit is not drift.
// Someone may have launched the survey in PostHog since the last read, even after an earlier end.
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

// dateRule plans a date that the configuration omits.
type dateRule func(date types.String) types.String

func keepDate(date types.String) types.String { return date }
func clearDate(types.String) types.String     { return types.StringNull() }
func leaveOpen(types.String) types.String     { return types.StringUnknown() }

// stampIfMissing plans a missing date as unknown, so that the apply sets the current time.
func stampIfMissing(date types.String) types.String {
	if date.IsNull() {
		return types.StringUnknown()
	}
	return date
}

// rules returns the start_date and end_date rules for the configured status.
func (l lifecycle) rules() (start, end dateRule) {
	switch status := l.config.Status; {
	case status.IsUnknown():
		return leaveOpen, leaveOpen
	case status.ValueString() == survey.StatusDraft:
		return clearDate, clearDate
	case status.ValueString() == survey.StatusRunning:
		return stampIfMissing, clearDate
	case status.ValueString() == survey.StatusCompleted && l.prior.ID.IsNull():
		return stampIfMissing, stampIfMissing
	case status.ValueString() == survey.StatusCompleted:
		return keepDate, stampIfMissing
	}
	return keepDate, keepDate
}

// planDates plans status and dates. If the configuration omits both, the plan never launches,
// stops, or resumes a survey.
func (l lifecycle) planDates(planned *survey.Fields, diags *diag.Diagnostics) {
	start, end := l.rules()
	if l.config.StartDate.IsNull() {
		planned.StartDate = start(l.prior.StartDate)
	}
	if l.config.EndDate.IsNull() {
		planned.EndDate = end(l.prior.EndDate)
	}

	dates := survey.StatusByDates(planned.StartDate, planned.EndDate)
	if planned.Status = l.config.Status; planned.Status.IsNull() {
		planned.Status = dates
	}
	// A date that the apply sets agrees with any status.
	if !planned.Status.IsUnknown() && !dates.IsUnknown() && !dates.Equal(planned.Status) {
		diags.AddAttributeError(path.Root("status"), "Status and dates contradict each other",
			fmt.Sprintf("status is %q, but start_date %s and end_date %s make the survey %q. Remove status, remove the dates, or set matching values.",
				planned.Status.ValueString(), dateOrNone(planned.StartDate), dateOrNone(planned.EndDate), dates.ValueString()))
	}
}

func dateOrNone(date types.String) string {
	if date.IsNull() {
		return "(none)"
	}
	return date.ValueString()
}

// stamp replaces unknown dates with the time of the apply.
func stamp(planned *survey.Fields, now time.Time) {
	moment := types.StringValue(now.UTC().Format(time.RFC3339))
	status := planned.Status.ValueString()
	if planned.StartDate.IsUnknown() {
		planned.StartDate = moment
		if status == survey.StatusDraft {
			planned.StartDate = types.StringNull()
		}
	}

	if planned.EndDate.IsUnknown() {
		planned.EndDate = types.StringNull()
		if status == survey.StatusCompleted {
			planned.EndDate = moment
		}
	}
}

// planFlags plans to switch on a running survey's flags, and adds a warning.
func (l lifecycle) planFlags(planned *survey.Fields, diags *diag.Diagnostics) {
	off := switchedOffFlags(l.prior)
	if len(off) == 0 || planned.Status.ValueString() != survey.StatusRunning || planned.Archived.ValueBool() {
		return
	}

	if !l.memory.IsPaused {
		c := survey.Change{Planned: *planned, Prior: l.prior}
		planned.InternalTargetingFlag = c.Flag(planned.InternalTargetingFlag, false)
		planned.TargetingFlag = c.Flag(planned.TargetingFlag, false)
	}
	hiding := hidingFlags(l.prior)
	which := fmt.Sprintf("Respondents do not see survey %q, although it is running, because its feature flag %s is off. ", l.prior.Name.ValueString(), strings.Join(hiding, ", "))
	switch {
	case len(hiding) == 0:
	case !l.memory.IsPaused:
		diags.AddAttributeWarning(path.Root("status"), fmt.Sprintf("Survey %q is running but hidden", l.prior.Name.ValueString()),
			which+"The flag was never switched on, as after a create in one request. The apply switches it on. To keep the survey hidden, set status = \"draft\" or \"completed\".")
	case !keepsFlags(*planned, l.prior):
		diags.AddAttributeWarning(path.Root("status"), fmt.Sprintf("The update shows survey %q again", l.prior.Name.ValueString()),
			which+"Someone switched the flag off outside of Terraform, and PostHog switches it on with every update of a running survey. "+
				"To keep the survey hidden, set status = \"completed\".")
	}
}

// keepsFlags reports whether a plan leaves the survey's own flags unchanged.
func keepsFlags(planned, prior survey.Fields) bool {
	return planned.InternalTargetingFlag.Equal(prior.InternalTargetingFlag) && planned.TargetingFlag.Equal(prior.TargetingFlag)
}

// switchOnRequest returns an update that changes nothing but lets PostHog switch the flags on. It
// is empty if the plan does not switch on a flag.
func switchOnRequest(ctx context.Context, planned, prior survey.Fields, diags *diag.Diagnostics) api.SurveyRequest {
	if keepsFlags(planned, prior) || len(switchedOffFlags(prior)) == 0 {
		return api.SurveyRequest{}
	}
	return startAgain(ctx, prior, diags)
}

// startAgain returns an update that sends the survey's current start date.
func startAgain(ctx context.Context, f survey.Fields, diags *diag.Diagnostics) api.SurveyRequest {
	draft := f
	draft.StartDate = types.StringNull()
	return survey.ToAPI(ctx, f, draft, uuid.NewString, diags)
}

// switchedOffFlags returns the keys of the survey's own flags that are off while the survey runs.
func switchedOffFlags(f survey.Fields) []string {
	if !survey.IsRunning(f) {
		return nil
	}

	var off []string
	flags := []types.Object{f.InternalTargetingFlag}
	if !f.TargetingFlagFilters.IsNull() { // any other flag does not belong to the survey
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

// hidingFlags returns those of the switched-off flags that hide a survey. SDKs ignore the internal flag of a survey that
// repeats.
func hidingFlags(f survey.Fields) []string {
	repeating := audience.Survey{Schedule: f.Schedule.ValueString(), Conditions: f.Conditions.ValueString()}
	internal, _ := f.InternalTargetingFlag.Attributes()["key"].(types.String)
	return slices.DeleteFunc(switchedOffFlags(f), func(key string) bool { return repeating.ComesAgain() && key == internal.ValueString() })
}

// hasFlagsOff reports whether [switchedOffFlags] would find a flag. It works on a state that the
// fast path does not decode, and requires archived to be false.
func hasFlagsOff(o fastpath.Object) bool {
	return o.String("status") == survey.StatusRunning && o.IsFalse("archived") &&
		(o.Object("internal_targeting_flag").IsFalse("active") ||
			o.String("targeting_flag_filters") != "" && o.Object("targeting_flag").IsFalse("active"))
}

// launchDraft launches a survey that was created as a draft. If the launch fails, it changes
// planned to a draft.
func launchDraft(ctx context.Context, surveys *client.Surveys, created api.Survey, launch api.SurveyRequest, planned *survey.Fields, diags *diag.Diagnostics) api.Survey {
	launched, err := surveys.ChangeNew(ctx, *created.ID, created, survey.LaunchDecision(created, launch))
	if err == nil {
		return launched
	}

	// PostHog may have launched the survey although its response was lost.
	state := "is a draft, which no respondent has seen"
	live, readErr := surveys.Retrieve(ctx, *created.ID)
	if start, _ := live.StartDate.Get(); readErr == nil && start != "" {
		return live
	}
	if readErr != nil {
		state = "may be running, because reading it failed"
	}

	f := *planned
	f.ID = types.StringPointerValue(created.ID)
	failed := attempt(verbLaunch, f).Diagnostic(err, attributePaths)
	diags.AddError(failed.Summary(), failed.Detail()+fmt.Sprintf("\n\nThe survey was created with ID %s and %s. "+
		"Terraform marks it as tainted, so the next apply deletes it and creates the survey again. "+
		"To keep the survey and launch it with the next apply, run terraform untaint with its resource address first. "+
		"Always do this if deletion_policy is \"archive\" or \"abandon\".", *created.ID, state))

	planned.StartDate, planned.Status = types.StringNull(), types.StringValue(survey.StatusDraft)
	return created
}

// warnOfSwitchedOff warns if a launched survey stays hidden because its project does not show
// surveys, and reports whether it did. External surveys have their own page, which ignores this
// setting.
func (r *Resource) warnOfSwitchedOff(ctx context.Context, planned, prior survey.Model, diags *diag.Diagnostics) (isHidden bool) {
	if !check.Launches(planned.Fields, prior.Fields) || planned.Type.ValueString() == "external_survey" {
		return false
	}
	if r.Data == nil || r.Client == nil || planned.ProjectID.IsUnknown() {
		return false
	}

	project := planned.ProjectID.ValueString()
	isOn, isKnown := r.Client.Surveys(project).SwitchedOn(ctx)
	if isHidden = isKnown && !isOn; isHidden {
		diags.AddAttributeWarning(path.Root("status"), survey.WarningTitle("Surveys are switched off in the project", planned.Name),
			fmt.Sprintf("Survey %q is launched, but respondents do not see it, because project %s does not show surveys. "+
				"Switch surveys on in the project's settings, under Surveys. Terraform cannot switch them on.",
				planned.Name.ValueString(), project))
	}
	return isHidden
}
