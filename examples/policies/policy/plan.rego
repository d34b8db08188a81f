# What the policies read of a plan, as terraform show -json prints it.
package plan

# surveys are the changes of surveys that exist after the apply, unchanged ones too.
surveys contains change if {
	some change in input.resource_changes
	change.type == "posthog_survey"
	change.mode == "managed"
	change.change.after != null
}

# removed_surveys are the changes that delete a survey, also to replace it.
removed_surveys contains change if {
	some change in input.resource_changes
	change.type == "posthog_survey"
	change.mode == "managed"
	"delete" in change.change.actions
}

# import_apps are the changes of import apps that exist after the apply.
import_apps contains change if {
	some change in input.resource_changes
	change.type == "posthog_pipeline_import_app"
	change.mode == "managed"
	change.change.after != null
}

# known holds for an attribute unless its value is known only after the apply.
known(change, attribute) if not change.change.after_unknown[attribute] == true

# known_of_question is known for an attribute of one question.
known_of_question(change, i, attribute) if not change.change.after_unknown.questions[i][attribute] == true

runs(survey) if survey.status == "running"

# launches holds for a change after which a survey runs that did not run before.
launches(change) if {
	runs(change.change.after)
	not runs(change.change.before)
}

# questions is the list of a survey, empty where it has none.
questions(survey) := object.get(survey, "questions", []) if is_array(object.get(survey, "questions", []))

else := []

# decoded is the value of an attribute that holds JSON, an empty object where it is not set.
decoded(survey, attribute) := json.unmarshal(survey[attribute]) if is_string(survey[attribute])

else := {}
