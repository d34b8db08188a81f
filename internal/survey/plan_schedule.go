package survey

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// planSchedule plans the schedule where the configuration leaves it out. The service
// makes a survey recurring that gets a count and a frequency, and drops both when it is
// sent any other schedule, so the default is sent only when nothing of them is left.
func planSchedule(config Fields, planned *Fields, prior Fields) {
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

// mayRepeat reports whether a number of iterations, or of days between them, is above 0
// or may turn out to be.
func mayRepeat(n types.Int64) bool { return n.IsUnknown() || n.ValueInt64() > 0 }
