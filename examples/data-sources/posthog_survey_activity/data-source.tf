data "posthog_survey_activity" "nps" {
  survey_id = "0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17"
}

# Who edited the questions, and when. The entries are null where the service answers
# nothing, and the user is null once their account is deleted.
output "question_edits" {
  value = [
    for entry in coalesce(data.posthog_survey_activity.nps.entries, []) :
    "${entry.at} ${coalesce(entry.user, "unknown")}" if entry.field == "questions"
  ]
}
