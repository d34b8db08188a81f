package check

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// checkRun explains how a plan changes a survey's status, which the diff of two dates does not show. PostHog
// does not schedule: a survey with a start date is running, and a survey with an end date is completed, whatever the
// dates are. Only the page of an external survey does not exist before the start date.
func checkRun(s candidate, prior survey.Fields, findings *Findings) {
	oldStatus, newStatus := survey.StatusByDates(prior.StartDate, prior.EndDate).ValueString(), s.Status.ValueString()
	startChanges, endChanges := !s.StartDate.Equal(prior.StartDate), !s.EndDate.Equal(prior.EndDate)
	isRunning := newStatus == survey.StatusRunning

	switch {
	case endChanges && isAfter(s.EndDate, s.now):
		findings.warnf(atAttribute("end_date"), futureEnd,
			`is %s, but the survey stops as soon as you apply the plan. PostHog does not schedule stops: a survey with any end_date is completed. `+
				`To stop it on that day, apply status = "completed" on that day. To stop it after a number of responses, set responses_limit.`, s.EndDate.ValueString())
	case isRunning && startChanges && isAfter(s.StartDate, s.now) && s.Type.ValueString() == string(api.ExternalSurvey):
		// the survey's page appears on that day
	case isRunning && oldStatus == survey.StatusRunning && startChanges && isAfter(s.StartDate, s.now):
		findings.warnf(atAttribute("start_date"), futureStartOfRunning,
			`is %s, but the survey is already running and keeps running, because PostHog does not schedule launches. The new date changes only the day from which PostHog counts responses. `+
				`To pause it until then, apply status = "draft" now and status = "running" on that day.`, s.StartDate.ValueString())
	case isRunning && startChanges && isAfter(s.StartDate, s.now):
		findings.warnf(atAttribute("start_date"), futureStart,
			`is %s, but the survey launches as soon as you apply the plan. PostHog does not schedule launches: a survey with any start_date is launched. `+
				`To launch it on that day, keep status = "draft" and apply status = "running" on that day.`, s.StartDate.ValueString())
	case newStatus == survey.StatusCompleted && endChanges && s.StartDate.IsNull():
		findings.warnf(atAttribute("status"), completedDraft,
			"is completed, with an end_date but without a start_date, so the survey was never shown. If it ran, also set start_date. To archive a draft, set archived = true.")
	case newStatus == survey.StatusDraft && oldStatus != survey.StatusDraft:
		findings.warnf(atAttribute("status"), undoesLaunch, "changes from %s to draft. The apply removes the dates of the survey and hides it from respondents. "+
			"To keep the survey as it is in PostHog, set status = %[1]q, or remove status.", oldStatus)
	case Launches(s.Fields, prior) && oldStatus == survey.StatusRunning:
		findings.warnf(atAttribute("archived"), shownAgain, `becomes false. After you apply the plan, respondents who match the survey's targeting and conditions see it. `+
			`To keep it hidden, also set status = "completed".`)
	case s.Status.IsUnknown() && !attribute.IsKnown(s.EndDate) && oldStatus != survey.StatusRunning:
		findings.warnf(atAttribute("status"), maybeLaunches,
			"is %s, and its new value is known only during the apply. If it becomes running, respondents who match the survey's targeting and conditions see the survey.", oldStatus)
	case Launches(s.Fields, prior):
		findings.warnf(atAttribute("status"), launches,
			"changes from %s to running. After you apply the plan, respondents who match the survey's targeting and conditions see it.", oldStatus)
	}

	// Apps show surveys of type api with their own code, which may supply the questions.
	questions, isKnown := s.Questions.Known()
	if Launches(s.Fields, prior) && isKnown && len(questions) == 0 && s.Type.ValueString() != string(api.API) {
		findings.warnf(atAttribute("questions"), runsWithoutQuestions,
			"is empty, so the survey has nothing to show after its launch. Add questions, or keep the survey a draft until it has some.")
	}
}

// Launches reports whether a plan shows a survey that was not shown before. An archived survey is hidden, and is
// shown again when it is unarchived.
func Launches(planned, prior survey.Fields) bool {
	wasShown := survey.StatusByDates(prior.StartDate, prior.EndDate).ValueString() == survey.StatusRunning && !prior.Archived.ValueBool()
	return planned.Status.ValueString() == survey.StatusRunning && !planned.Archived.ValueBool() && !wasShown
}

// isAfter reports whether a date is known and later than now. It returns false if now is zero.
func isAfter(date types.String, now time.Time) bool {
	moment, err := attribute.ParseTimestamp(date.ValueString())
	return err == nil && !now.IsZero() && moment.After(now)
}

// mostIterations is the maximum number of iterations that PostHog supports.
const mostIterations = 500

// rule is a row in a table of rules for a survey's attributes.
type rule struct {
	isBroken  bool
	attribute string
	kind      kind
	text      string
}

// refuse adds an error for each broken rule.
func refuse(findings *Findings, rules ...rule) {
	for _, r := range rules {
		if r.isBroken {
			findings.errorf(atAttribute(r.attribute), r.kind, "%s", r.text)
		}
	}
}

// checkNumbers checks numbers more strictly than the schema.
func checkNumbers(s candidate, findings *Findings) {
	isZero := func(n types.Int64) bool { return attribute.IsKnown(n) && n.ValueInt64() == 0 }
	const noID = "is 0, but IDs start at 1. If you do not want to set an ID, remove the attribute."
	refuse(findings,
		rule{isZero(s.LinkedFlagID), "linked_flag_id", invalidID, noID},
		rule{isZero(s.LinkedInsightID), "linked_insight_id", invalidID, noID},
		rule{isZero(s.TargetingFlagID), "targeting_flag_id", invalidID, noID},
		rule{
			s.IterationCount.ValueInt64() > mostIterations, "iteration_count", tooManyIterations,
			fmt.Sprintf("is %s. A survey can repeat at most %d times.", s.IterationCount, mostIterations),
		},
		rule{s.CurrentIteration.ValueInt64() < 0, "current_iteration", negativeNumber, fmt.Sprintf("is %s. Iterations are counted from 1.", s.CurrentIteration)},
	)
}

func checkDates(s candidate, findings *Findings) {
	start, errStart := attribute.ParseTimestamp(s.StartDate.ValueString())
	end, errEnd := attribute.ParseTimestamp(s.EndDate.ValueString())
	if errStart == nil && errEnd == nil && end.Before(start) {
		findings.warnf(atAttribute("end_date"), endBeforeStart, "is %s, which is before start_date (%s).", s.EndDate.ValueString(), s.StartDate.ValueString())
	}
	for i, element := range s.IterationStartDates.Elements() {
		moment, ok := element.(types.String)
		if !ok || !attribute.IsKnown(moment) {
			continue
		}
		if _, err := attribute.ParseTimestamp(moment.ValueString()); err != nil {
			findings.errorf(atAttribute("iteration_start_dates").element(i), invalidDateAndTime, "is invalid: %s. Use the format of RFC 3339, with an offset, or Z for UTC.", err)
		}
	}
}

// checkIterations finds surveys that are configured to repeat but would not. PostHog requires both count and
// frequency, and drops them if the schedule is not recurring.
func checkIterations(s candidate, findings *Findings) {
	if s.IterationCount.IsUnknown() || s.IterationFrequencyDays.IsUnknown() {
		return
	}

	repeats, hasDays := s.IterationCount.ValueInt64() > 0, s.IterationFrequencyDays.ValueInt64() > 0
	schedule := s.Schedule.ValueString()
	isOther := schedule == string(api.Once) || schedule == string(api.Always)
	switch {
	case repeats && hasDays && isOther:
		findings.errorf(atAttribute("schedule"), scheduleConflict,
			`is %q, but iteration_count and iteration_frequency_days are set, and PostHog would drop them. Remove schedule, or set it to "recurring".`, schedule)
	case repeats && !hasDays:
		findings.warnf(atAttribute("iteration_count"), neverRepeats, "has an effect only with iteration_frequency_days, the number of days between two runs.")
	case hasDays && !repeats:
		findings.warnf(atAttribute("iteration_frequency_days"), neverRepeats, "has an effect only with iteration_count, the number of runs.")
	case schedule == string(api.Recurring) && !repeats:
		findings.warnf(atAttribute("schedule"), neverRepeats, `is "recurring", but iteration_count and iteration_frequency_days are not set. To make the survey repeat, set both.`)
	}
}

// checkRecurrence rejects an iteration count below the current iteration in the prior state.
func checkRecurrence(planned, prior survey.Fields, findings *Findings) {
	count, current := planned.IterationCount.ValueInt64(), prior.CurrentIteration.ValueInt64()
	if count > 0 && count < current && !planned.IterationCount.Equal(prior.IterationCount) {
		findings.errorf(atAttribute("iteration_count"), fewerIterations,
			"is %d, but the survey is already in iteration %d. Use %[2]d or more, or 0 to stop repeating.", count, current)
	}
}

// checkSampling checks that the response sampling settings fit together. PostHog fails for a start date without a
// schedule, but a limit of 0 does not need one.
func checkSampling(s candidate, findings *Findings) {
	start, interval, limit := s.SamplingStartDate, s.SamplingInterval, s.SamplingLimit
	isLimited, isStarted := limit.ValueInt64() > 0, attribute.IsKnown(start) && limit.IsNull()
	reason := "must be set, because response_sampling_start_date is set."
	if isLimited {
		reason = "must be set, because response_sampling_limit is set."
	}
	refuse(findings,
		rule{
			attribute.IsKnown(interval) && interval.ValueInt64() == 0, "response_sampling_interval", missingSamplingInterval,
			"is 0. Use 1 or more. To turn off sampling, remove it.",
		},
		rule{isLimited && start.IsNull(), "response_sampling_start_date", missingStartOfSampling, reason},
		rule{isStarted, "response_sampling_limit", missingSamplingLimit, reason + " Use 0 to turn off sampling."},
		rule{(isLimited || isStarted) && interval.IsNull(), "response_sampling_interval", missingSamplingInterval, reason},
	)

	if today, past := s.samplesSincePast(); past {
		findings.errorf(atAttribute("response_sampling_start_date"), pastSampling,
			"is %s, but today is %s (UTC). Use today or a later date.", start.ValueString(), today).dedupKey = start.ValueString()
	}
}

// samplesSincePast reports whether sampling began before today, and returns today's date.
func (s candidate) samplesSincePast() (today string, past bool) {
	day, err := attribute.ParseTimestamp(s.SamplingStartDate.ValueString())
	midnight := s.now.UTC().Truncate(24 * time.Hour)
	return midnight.Format(time.DateOnly), err == nil && !s.now.IsZero() && day.Before(midnight)
}
