package terraform

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// planLifecycle plans status and dates. A configuration that omits both never launches,
// stops or resumes a survey.
func planLifecycle(config survey.Fields, planned *survey.Fields, prior survey.Fields, diags *diag.Diagnostics) {
	if config.StartDate.IsNull() {
		planned.StartDate = prior.StartDate
	}
	if config.EndDate.IsNull() {
		planned.EndDate = prior.EndDate
	}

	if config.Status.IsUnknown() {
		planned.Status = config.Status
		leaveDateUnknown(config.StartDate, &planned.StartDate)
		leaveDateUnknown(config.EndDate, &planned.EndDate)
		return
	}

	if config.Status.IsNull() {
		planned.Status = survey.StatusByDates(planned.StartDate, planned.EndDate)
		return
	}

	planned.Status = config.Status
	switch config.Status.ValueString() {
	case survey.StatusDraft:
		clearDate(config.StartDate, &planned.StartDate)
		clearDate(config.EndDate, &planned.EndDate)
	case survey.StatusRunning:
		stampDate(config.StartDate, &planned.StartDate)
		clearDate(config.EndDate, &planned.EndDate)
	case survey.StatusCompleted:
		stampDate(config.EndDate, &planned.EndDate)
		if prior.ID.IsNull() {
			stampDate(config.StartDate, &planned.StartDate)
		}
	}

	if dates := survey.StatusByDates(planned.StartDate, planned.EndDate); !matchesDates(planned, dates) {
		diags.AddAttributeError(path.Root("status"), "Status and dates contradict each other",
			fmt.Sprintf("status is %q, but start_date %s and end_date %s make the survey %q. Leave status out, or the dates, or let them agree.",
				config.Status.ValueString(), dateOrNone(planned.StartDate), dateOrNone(planned.EndDate), dates.ValueString()))
	}
}

// matchesDates reports whether the status agrees with the dates. A date that is set at
// apply agrees.
func matchesDates(planned *survey.Fields, dates types.String) bool {
	return dates.IsUnknown() || dates.Equal(planned.Status)
}

func dateOrNone(date types.String) string {
	if date.IsNull() {
		return "(none)"
	}
	return date.ValueString()
}

// clearDate clears a date that the configuration omits.
func clearDate(config types.String, planned *types.String) {
	if config.IsNull() {
		*planned = types.StringNull()
	}
}

// stampDate plans a missing date as unknown, so that it becomes the time of the apply.
func stampDate(config types.String, planned *types.String) {
	if config.IsNull() && planned.IsNull() {
		*planned = types.StringUnknown()
	}
}

func leaveDateUnknown(config types.String, planned *types.String) {
	if config.IsNull() {
		*planned = types.StringUnknown()
	}
}

// stamp replaces unknown dates by the time of the apply.
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
