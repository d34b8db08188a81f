resource "posthog_survey" "nps" {
  name = "Relationship NPS"
  type = "popover"

  questions = [
    {
      type     = "rating"
      question = "How likely are you to recommend us to a colleague?"
      display  = "number"
      scale    = 10
    },
    {
      type     = "open"
      question = "What is the main reason for your score?"
      optional = true
    },
  ]

  # No one sees a draft. "running" launches the survey, and "completed" stops it.
  status = "draft"

  # PostHog stops the survey after this many responses.
  responses_limit = 500
}

output "survey_id" {
  value = posthog_survey.nps.id
}
