resource "posthog_survey" "running" {
  project_id      = "12345"
  name            = "Relationship NPS"
  type            = "popover"
  status          = "running"
  responses_limit = 500
  conditions      = jsonencode({ seenSurveyWaitPeriodInDays = 30 })

  questions = [
    { type = "rating", question = "How likely are you to recommend us?", display = "number", scale = 10 },
    { type = "open", question = "What disappointed you?" },
  ]
}

resource "posthog_survey" "answered" {
  project_id = "12345"
  name       = "Exit interview"
  type       = "widget"
  status     = "completed"

  questions = [{ type = "open", question = "What made you leave?" }]
}
