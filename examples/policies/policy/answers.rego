# Questions of a running survey keep their answers.
# The answers to a question whose ID is gone are detached.
package main

import data.plan

deny contains message if {
	some change in plan.surveys
	plan.runs(change.change.before)
	plan.known(change, "questions")
	some question in plan.questions(change.change.before)
	is_string(question.id)
	not kept(change.change.after, question.id)
	message := sprintf("%s: the answers to %q would be detached", [change.address, question.question])
}

kept(survey, id) if {
	some question in plan.questions(survey)
	question.id == id
}
