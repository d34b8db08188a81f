# Each policy with a change that it refuses and one that it lets pass. What real plans look
# like is in plans/.
package main

# with_survey is a plan of one survey that goes from before to after.
with_survey(before, after, actions) := {"resource_changes": [{
	"address": "posthog_survey.a", "type": "posthog_survey", "mode": "managed",
	"change": {"actions": actions, "before": before, "after": after},
}]}

with_app(url) := {"resource_changes": [{
	"address": "posthog_pipeline_import_app.a", "type": "posthog_pipeline_import_app", "mode": "managed",
	"change": {"actions": ["create"], "before": null, "after": {"url": url}},
}]}

# exemplary is a survey that every policy lets pass.
exemplary := {
	"project_id": "12345", "type": "popover", "status": "running", "start_date": "2026-01-01T00:00:00Z",
	"responses_limit": 500, "conditions": "{\"seenSurveyWaitPeriodInDays\": 30}",
	"questions": [{"id": "q1", "type": "open", "question": "Why?"}],
}

refused(plan) := messages if messages := deny with input as plan

created(changes) := refused(with_survey(null, object.union(exemplary, changes), ["create"]))

updated(changes) := refused(with_survey(exemplary, object.union(exemplary, changes), ["update"]))

test_exemplary_survey_passes if {
	count(created({})) == 0
	count(updated({})) == 0
}

test_plan_without_surveys_passes if count(refused({"resource_changes": []})) == 0

test_limit if {
	created({"responses_limit": null}) == {"posthog_survey.a runs without an end: set responses_limit, or iteration_count"}
	count(created({"responses_limit": null, "iteration_count": 4})) == 0
	count(created({"responses_limit": null, "status": "draft"})) == 0
}

test_production if {
	created({"project_id": "67890"}) == {"posthog_survey.a is launched in project 67890, which is not a production project"}
	count(created({"project_id": "67890", "status": "draft"})) == 0

	# It runs already: this plan does not launch it.
	count(updated({"project_id": "67890"})) == 0
}

test_wait_period if {
	count(created({"conditions": null})) == 1
	count(created({"conditions": "{\"seenSurveyWaitPeriodInDays\": 29}"})) == 1
	count(created({"conditions": null, "type": "widget"})) == 0
}

translated(question, german) := {"questions": [
	{"type": "open", "question": "Why?", "translations": "{\"de\": {\"question\": \"Warum?\"}}"},
	object.union(question, {"translations": json.marshal(german)}),
]}

test_translations if {
	open := {"type": "open", "question": "Who?"}
	choice := {"type": "single_choice", "question": "Which?", "choices": ["A", "B"]}

	count(created(translated(open, {"de": {"question": "Wer?"}}))) == 0
	created(translated(open, {})) == {"posthog_survey.a: questions[1] has no text in de"}
	created(translated(open, {"de": {"question": ""}})) == {"posthog_survey.a: questions[1] has no text in de"}
	created(translated(choice, {"de": {"question": "Welche?", "choices": ["A"]}})) == {"posthog_survey.a: questions[1] has 2 choices, and 1 in de"}
	count(created(translated(choice, {"de": {"question": "Welche?", "choices": ["A", "B"]}}))) == 0
}

deleted(changes) := refused(with_survey(object.union(exemplary, changes), null, ["delete"]))

test_deletion if {
	count(deleted({"deletion_policy": "delete"})) == 1
	count(deleted({"deletion_policy": null})) == 1
	count(deleted({"deletion_policy": "archive"})) == 0
	count(deleted({"deletion_policy": "delete", "start_date": null})) == 0
}

test_answers if {
	updated({"questions": [{"type": "open", "question": "Who?"}]}) == {"posthog_survey.a: the answers to \"Why?\" would be detached"}
	count(updated({"questions": [{"id": "q1", "type": "open", "question": "Why not?"}]})) == 0
}

test_length if {
	required := {"type": "open", "question": "?"}
	optional := {"type": "open", "question": "?", "optional": true}
	count(created({"questions": [required, required, required, optional]})) == 0
	count(created({"questions": [required, required, required, required]})) == 1

	# What a plan shows of an attribute that is not set.
	unset := object.union(required, {"optional": null})
	count(created({"questions": [required, required, required, unset]})) == 1
}

test_sources if {
	count(refused(with_app("https://github.com/acme/tickets"))) == 0
	count(refused(with_app(null))) == 0
	refused(with_app("https://github.com/acme-copy/tickets")) == {"posthog_pipeline_import_app.a takes its code from https://github.com/acme-copy/tickets, which is not among the trusted sources"}
}

# unknown is a plan of the exemplary survey that does not show attributes, because their values
# are known only after the apply.
unknown(attributes) := refused({"resource_changes": [{
	"address": "posthog_survey.a", "type": "posthog_survey", "mode": "managed",
	"change": {
		"actions": ["update"], "before": exemplary, "after": object.remove(exemplary, attributes),
		"after_unknown": {attribute: true | some attribute in attributes},
	},
}]})

test_what_is_not_known_passes if {
	every attribute in ["responses_limit", "conditions", "questions", "project_id", "status", "type"] {
		count(unknown([attribute])) == 0
	}

	# The same without the value, and known: it is not set.
	count(updated({"responses_limit": null})) == 1
	count(updated({"conditions": null})) == 1
	count(updated({"questions": null})) == 1
}

test_questions_that_are_not_known_pass if {
	german := {"type": "open", "question": "Why?", "optional": true, "translations": "{\"de\": {\"question\": \"Warum?\"}}"}
	choice := {"type": "single_choice", "question": "Which?", "choices": ["A", "B"]}
	open := {"type": "open", "question": "?"}
	later := {"translations": true, "optional": true}
	after := object.union(exemplary, {"questions": [german, choice, open, open, open]})

	count(refused({"resource_changes": [{
		"address": "posthog_survey.a", "type": "posthog_survey", "mode": "managed",
		"change": {"actions": ["create"], "before": null, "after": after, "after_unknown": {"questions": [{}, later, later, later, later]}},
	}]})) == 0
	count(refused(with_survey(null, after, ["create"]))) > 0
}
