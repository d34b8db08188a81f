# Questions of a running survey keep their answers.
# A question whose id is gone has its answers cut off.
package main

import data.plan

deny contains message if {
	some change in plan.surveys
	plan.runs(change.change.before)
	plan.known(change, "questions")
	some question in plan.questions(change.change.before)
	is_string(question.id)
	not kept(change.change.after, question.id)
	message := sprintf("%s: the answers to %q would be cut off", [change.address, question.question])
}

kept(survey, id) if {
	some question in plan.questions(survey)
	question.id == id
}
