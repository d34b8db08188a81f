# A running survey has a limit or an end.
# A survey without either asks until somebody remembers it.
package main

import data.plan

deny contains message if {
	some change in plan.surveys
	plan.runs(change.change.after)
	plan.known(change, "responses_limit")
	plan.known(change, "iteration_count")
	not limited(change.change.after)
	message := sprintf("%s runs without an end: set responses_limit, or iteration_count", [change.address])
}

limited(survey) if survey.responses_limit > 0

limited(survey) if survey.iteration_count > 0
