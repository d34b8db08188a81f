data "posthog_survey_responses_count" "all" {}

data "posthog_survey" "feedback" {
  name = "Feedback tab"

  lifecycle {
    postcondition {
      condition     = lookup(data.posthog_survey_responses_count.all.counts, self.id, 0) < 10000
      error_message = "The feedback tab has enough responses: stop it."
    }
  }
}

output "responses" {
  value = lookup(data.posthog_survey_responses_count.all.counts, data.posthog_survey.feedback.id, 0)
}
