# Stop a survey now: terraform apply -invoke=action.posthog_survey_stop.nps
action "posthog_survey_stop" "nps" {
  config {
    survey_id = "0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17"
  }
}
