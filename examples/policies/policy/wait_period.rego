# Nobody is asked twice in a short time.
# A pop-up that runs waits for some days after another survey was seen.
package main

import data.plan

deny contains message if {
	some change in plan.surveys
	survey := change.change.after
	plan.runs(survey)
	survey.type == "popover"
	plan.known(change, "conditions")
	days := object.get(plan.decoded(survey, "conditions"), "seenSurveyWaitPeriodInDays", 0)
	days < data.settings.wait_period_days
	message := sprintf("%s waits for %v days after another survey, want %v: set seenSurveyWaitPeriodInDays in conditions", [change.address, days, data.settings.wait_period_days])
}
