resource "posthog_survey" "nps" {
  project_id      = "12345"
  name            = "Relationship NPS"
  type            = "popover"
  status          = "running"
  responses_limit = 500
  conditions      = jsonencode({ seenSurveyWaitPeriodInDays = 30 })

  questions = [
    { type = "rating", question = "How likely are you to recommend us?", display = "number", scale = 10 },
    { type = "open", question = "What disappointed you?", optional = true },
  ]
}

resource "posthog_survey" "retired" {
  project_id      = "12345"
  name            = "Beta feedback"
  type            = "popover"
  status          = "completed"
  deletion_policy = "archive"

  questions = [{ type = "open", question = "What should we improve?" }]
}
