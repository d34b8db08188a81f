data "posthog_survey_activity" "nps" {
  survey_id = "0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17"
}

# Who touched the questions outside of Terraform? Null where the service answers
# nothing.
output "question_edits" {
  value = [
    for entry in coalesce(data.posthog_survey_activity.nps.entries, []) :
    "${entry.at} ${entry.user}" if entry.field == "questions"
  ]
}
