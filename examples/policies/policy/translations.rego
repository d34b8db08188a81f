# Translations are complete.
# A language that one question has, every question has, with all choices.
package main

import data.plan

# languages are those of any question, and of the survey's own texts.
languages(survey) := {language |
	some question in plan.questions(survey)
	some language, _ in plan.decoded(question, "translations")
} | {language | some language, _ in plan.decoded(survey, "translations")}

deny contains message if {
	some change in plan.surveys
	some i, question in plan.questions(change.change.after)
	plan.known_of_question(change, i, "translations")
	some language in languages(change.change.after)
	texts := object.get(plan.decoded(question, "translations"), language, {})
	object.get(texts, "question", "") == ""
	message := sprintf("%s: questions[%d] has no text in %s", [change.address, i, language])
}

deny contains message if {
	some change in plan.surveys
	some i, question in plan.questions(change.change.after)
	is_array(question.choices)
	plan.known_of_question(change, i, "translations")
	some language in languages(change.change.after)
	texts := object.get(plan.decoded(question, "translations"), language, {})
	translated := object.get(texts, "choices", [])
	count(translated) != count(question.choices)
	message := sprintf("%s: questions[%d] has %d choices, and %d in %s", [change.address, i, count(question.choices), count(translated), language])
}
