# Launch a survey that Terraform doesn't manage, or whose configuration doesn't set status.
# Run it with: terraform apply -invoke=action.posthog_survey_launch.feedback
action "posthog_survey_launch" "feedback" {
  config {
    survey_id = "0190d6a4-7e1c-7b52-a3f0-000000000001"
  }
}
