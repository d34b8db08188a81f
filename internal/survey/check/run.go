package check

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// WarnOfRun says what a plan does to the run of a survey, which the diff of two dates does
// not show. The service does not schedule: a survey with a start date runs and one with an
// end date is over, whatever the dates.
func WarnOfRun(planned, prior survey.Fields, now time.Time, diags *diag.Diagnostics) {
	before, after := survey.StatusByDates(prior.StartDate, prior.EndDate).ValueString(), planned.Status.ValueString()
	startChanges, endChanges := !planned.StartDate.Equal(prior.StartDate), !planned.EndDate.Equal(prior.EndDate)

	switch {
	case endChanges && isAfter(planned.EndDate, now):
		diags.AddAttributeWarning(path.Root("end_date"), survey.TitleOf("An end_date in the future stops the survey at once", planned.Name),
			fmt.Sprintf("Survey %q is over as soon as this is applied, not on %s: the service has no schedule, and a survey with any end_date is completed. "+
				"To stop it on that day, apply status = \"completed\" on that day. To stop it after a number of responses, set responses_limit.",
				planned.Name.ValueString(), planned.EndDate.ValueString()))
	case after == survey.StatusRunning && before == survey.StatusRunning && startChanges && isAfter(planned.StartDate, now):
		diags.AddAttributeWarning(path.Root("start_date"), survey.TitleOf("A start_date in the future does not pause the survey", planned.Name),
			fmt.Sprintf("Survey %q runs already and goes on: the service has no schedule, and a survey with any start_date is launched. "+
				"The new date only moves the day from which its responses are counted, to %s. To pause it until then, apply status = \"draft\" now and status = \"running\" on that day.",
				planned.Name.ValueString(), planned.StartDate.ValueString()))
	case after == survey.StatusRunning && startChanges && isAfter(planned.StartDate, now):
		diags.AddAttributeWarning(path.Root("start_date"), survey.TitleOf("A start_date in the future launches the survey at once", planned.Name),
			fmt.Sprintf("Survey %q runs as soon as this is applied, not from %s on: the service has no schedule, and a survey with any start_date is launched. "+
				"To launch it on that day, keep status = \"draft\" and apply status = \"running\" on that day.",
				planned.Name.ValueString(), planned.StartDate.ValueString()))
	case after == survey.StatusCompleted && endChanges && planned.StartDate.IsNull():
		diags.AddAttributeWarning(path.Root("status"), survey.TitleOf("The survey is completed without having run", planned.Name),
			fmt.Sprintf("Survey %q is a draft and gets an end_date without a start_date: it was never shown, and the service lists it as completed. "+
				"Set start_date too if it ran, or archived = true to put a draft away.", planned.Name.ValueString()))
	case Launches(planned, prior) && before == survey.StatusRunning:
		diags.AddAttributeWarning(path.Root("archived"), survey.TitleOf("The plan shows the survey again", planned.Name),
			fmt.Sprintf("Survey %q leaves the archive and runs: from the apply on it is shown to everybody whom its targeting and conditions choose. "+
				"To keep it hidden, set status = \"completed\" too.", planned.Name.ValueString()))
	case Launches(planned, prior):
		diags.AddAttributeWarning(path.Root("status"), survey.TitleOf("The plan launches the survey", planned.Name),
			fmt.Sprintf("Survey %q goes from %s to running: from the apply on it is shown to everybody whom its targeting and conditions choose.",
				planned.Name.ValueString(), before))
	}
}

// warnOfNothingToAsk warns of the launch of a survey that has no question. Surveys of type api
// are shown by code of their own, which may bring the questions.
func warnOfNothingToAsk(planned candidate, prior survey.Fields, diags *diag.Diagnostics) {
	questions, known := planned.Questions.Known()
	if !Launches(planned.Fields, prior) || !known || len(questions) > 0 || planned.Type.ValueString() == "api" {
		return
	}
	diags.AddAttributeWarning(path.Root("questions"), survey.TitleOf("The survey runs and has no question", planned.Name),
		fmt.Sprintf("Survey %q is launched and has no question, so there is nothing to show. Add questions, or keep it a draft until it has some.",
			planned.Name.ValueString()))
}

// Launches reports whether a plan shows a survey to people that was not shown before. An
// archived survey is shown to nobody, and is again when it leaves the archive.
func Launches(planned, prior survey.Fields) bool {
	wasShown := survey.StatusByDates(prior.StartDate, prior.EndDate).ValueString() == survey.StatusRunning && !prior.Archived.ValueBool()
	return planned.Status.ValueString() == survey.StatusRunning && !planned.Archived.ValueBool() && !wasShown
}

// isAfter reports whether a date is known and later than now. If now is not set, no date
// is.
func isAfter(date types.String, now time.Time) bool {
	moment, err := attribute.ParseTimestamp(date.ValueString())
	return err == nil && !now.IsZero() && moment.After(now)
}

// mostIterations is the maximum number of iterations that the service allows.
const mostIterations = 500

// checkNumbers checks numbers beyond the bounds that the schema gives them.
func checkNumbers(s candidate, found *Findings) {
	for _, one := range []struct {
		name string
		id   types.Int64
	}{{"linked_flag_id", s.LinkedFlagID}, {"linked_insight_id", s.LinkedInsightID}, {"targeting_flag_id", s.TargetingFlagID}} {
		if attribute.IsKnown(one.id) && one.id.ValueInt64() == 0 {
			found.errorf(atAttribute(one.name), "Invalid id", "is 0. Ids count from 1; leave the attribute out to say that there is none.")
		}
	}
	if s.IterationCount.ValueInt64() > mostIterations {
		found.errorf(atAttribute("iteration_count"), "Too many iterations", "is %d. A survey can repeat %d times at most.",
			s.IterationCount.ValueInt64(), mostIterations)
	}
	if s.CurrentIteration.ValueInt64() < 0 {
		found.errorf(atAttribute("current_iteration"), "Negative number", "is %d. Iterations count from 1.", s.CurrentIteration.ValueInt64())
	}
}

func checkDates(s candidate, found *Findings) {
	start, errStart := attribute.ParseTimestamp(s.StartDate.ValueString())
	end, errEnd := attribute.ParseTimestamp(s.EndDate.ValueString())
	if errStart == nil && errEnd == nil && end.Before(start) {
		found.warnf(atAttribute("end_date"), "end_date before start_date", "is %s, and start_date is %s.", s.EndDate.ValueString(), s.StartDate.ValueString())
	}
}

// checkIterations finds surveys that are meant to repeat and do not: the service requires
// both numbers, and drops them if the schedule is not recurring.
func checkIterations(s candidate, found *Findings) {
	if s.IterationCount.IsUnknown() || s.IterationFrequencyDays.IsUnknown() {
		return
	}

	count, days := s.IterationCount.ValueInt64(), s.IterationFrequencyDays.ValueInt64()
	const title = "Survey does not repeat"

	switch schedule := s.Schedule.ValueString(); {
	case count > 0 && days > 0 && (schedule == string(api.Once) || schedule == string(api.Always)):
		found.errorf(atAttribute("schedule"), "Schedule conflicts with iterations",
			`is %q, and iteration_count and iteration_frequency_days are set: the service would drop them. Remove schedule, or set it to "recurring".`, schedule)
	case count > 0 && days == 0:
		found.warnf(atAttribute("iteration_count"), title, "has an effect only together with iteration_frequency_days, the days from one run to the next.")
	case days > 0 && count == 0:
		found.warnf(atAttribute("iteration_frequency_days"), title, "has an effect only together with iteration_count, the number of runs.")
	case s.Schedule.ValueString() == string(api.Recurring) && count == 0:
		found.warnf(atAttribute("schedule"), title, `is "recurring", but iteration_count and iteration_frequency_days, which say how often and when, are not set.`)
	}
}

// checkRecurrence refuses fewer iterations than the survey has had, by the prior state.
func checkRecurrence(planned, prior survey.Fields, found *Findings) {
	count, current := planned.IterationCount.ValueInt64(), prior.CurrentIteration.ValueInt64()
	if count > 0 && count < current && !planned.IterationCount.Equal(prior.IterationCount) {
		found.errorf(atAttribute("iteration_count"), "Fewer iterations than completed",
			"is %d, but the survey is in iteration %d already. It can be %[2]d or more, or 0 to stop repeating.", count, current)
	}
}

// checkSampling checks the settings of response sampling against each other.
func checkSampling(s candidate, found *Findings) {
	start, interval, limit := s.SamplingStartDate, s.SamplingInterval, s.SamplingLimit
	if attribute.IsKnown(interval) && interval.ValueInt64() == 0 {
		found.errorf(atAttribute("response_sampling_interval"), "Missing sampling interval", "is 0. It must be 1 or more; leave it out to sample nothing.")
	}

	if limit.ValueInt64() > 0 && start.IsNull() {
		found.errorf(atAttribute("response_sampling_start_date"), "Missing start of sampling", "must be set, because response_sampling_limit is.")
	}
	if limit.ValueInt64() > 0 && interval.IsNull() {
		found.errorf(atAttribute("response_sampling_interval"), "Missing sampling interval", "must be set, because response_sampling_limit is.")
	}

	// The service fails for a start date without a schedule; a limit of 0 needs none.
	if attribute.IsKnown(start) && limit.IsNull() {
		found.errorf(atAttribute("response_sampling_limit"), "Missing sampling limit", "must be set, because response_sampling_start_date is; 0 samples nothing.")
	}
	if attribute.IsKnown(start) && limit.IsNull() && interval.IsNull() {
		found.errorf(atAttribute("response_sampling_interval"), "Missing sampling interval", "must be set, because response_sampling_start_date is.")
	}

	if today, past := s.samplesSincePast(); past {
		found.errorf(atAttribute("response_sampling_start_date"), "Sampling starts in the past",
			"is %s, and today is %s (UTC). Sampling can start today or later.", start.ValueString(), today).dedupKey = start.ValueString()
	}
}

// samplesSincePast reports whether sampling began before today, and which day that is.
func (s candidate) samplesSincePast() (today string, past bool) {
	day, err := attribute.ParseTimestamp(s.SamplingStartDate.ValueString())
	midnight := s.now.UTC().Truncate(24 * time.Hour)
	return midnight.Format(time.DateOnly), err == nil && !s.now.IsZero() && day.Before(midnight)
}

// checkNewLimit: a new limit of sampling wants the start date beside it, and the
// service takes no date of the past, not even the one that it holds.
func checkNewLimit(s candidate, prior survey.Fields, found *Findings) {
	limit, start := s.SamplingLimit, s.SamplingStartDate
	if today, past := s.samplesSincePast(); past && limit.ValueInt64() > 0 && !limit.Equal(prior.SamplingLimit) && start.Equal(prior.SamplingStartDate) {
		found.errorf(atAttribute("response_sampling_start_date"), "Sampling starts in the past",
			"is %s, and today is %s (UTC). Another response_sampling_limit starts sampling anew: set a start of today or later.", start.ValueString(), today)
	}
}

func checkIterationStarts(s candidate, found *Findings) {
	for i, element := range s.IterationStartDates.Elements() {
		moment, ok := element.(types.String)
		if !ok || !attribute.IsKnown(moment) {
			continue
		}
		if _, err := attribute.ParseTimestamp(moment.ValueString()); err != nil {
			found.errorf(atAttribute("iteration_start_dates").element(i), "Invalid date and time", "is wrong: %s. Write it as in RFC 3339, with an offset or Z for UTC.", err)
		}
	}
}
