package check

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
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
