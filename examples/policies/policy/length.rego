# A survey has few questions that cannot be skipped.
# Every one of them is a reason to close the survey.
package main

import data.plan

deny contains message if {
	some change in plan.surveys
	required := [question |
		some i, question in plan.questions(change.change.after)
		plan.known_of_question(change, i, "optional")
		question.type != "link"
		not question.optional == true
	]
	count(required) > data.settings.max_required_questions
	message := sprintf("%s has %d questions that cannot be skipped, want at most %d", [change.address, count(required), data.settings.max_required_questions])
}
