package terraform

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// planSchedule plans an omitted schedule. The service makes a survey with count and
// frequency recurring, and drops both when it gets any other schedule, so the default is
// sent only when neither is left.
func planSchedule(config survey.Fields, planned *survey.Fields, prior survey.Fields) {
	wasAnswered := !prior.Schedule.IsNull()
	if !config.Schedule.IsNull() || !wasAnswered {
		return
	}

	count, frequency := planned.IterationCount, planned.IterationFrequencyDays
	changed := !count.Equal(prior.IterationCount) || !frequency.Equal(prior.IterationFrequencyDays)
	switch {
	case count.IsNull() && frequency.IsNull():
		// The schema's default applies.
	case changed && mayRepeat(count) && mayRepeat(frequency) && prior.Schedule.ValueString() != string(api.Recurring):
		planned.Schedule = types.StringUnknown()
	default:
		planned.Schedule = prior.Schedule
	}
}

// mayRepeat reports whether a number of iterations, or of days between them, is positive or
// unknown.
func mayRepeat(n types.Int64) bool { return n.IsUnknown() || n.ValueInt64() > 0 }
