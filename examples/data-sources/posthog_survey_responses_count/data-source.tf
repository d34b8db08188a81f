data "posthog_survey_responses_count" "all" {}

data "posthog_survey" "nps" {
  name = "Quarterly NPS"
}

# The follow-up is launched once there is something to follow up.
resource "posthog_survey" "follow_up" {
  name   = "Quarterly NPS: follow-up"
  type   = "popover"
  status = "running"

  questions = [
    { type = "open", question = "What has changed since your last answer?" },
  ]

  lifecycle {
    precondition {
      condition     = lookup(data.posthog_survey_responses_count.all.counts, data.posthog_survey.nps.id, 0) >= 100
      error_message = "Launch the follow-up when the survey has 100 responses."
    }
  }
}

output "responses" {
  value = lookup(data.posthog_survey_responses_count.all.counts, data.posthog_survey.nps.id, 0)
}
