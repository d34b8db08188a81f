resource "posthog_survey" "this" {
  name                     = "Quarterly NPS"
  type                     = "popover"
  schedule                 = "recurring"
  iteration_count          = 4
  iteration_frequency_days = 90
  start_date               = "2026-03-02T09:00:00Z"

  questions = [{
    type     = "rating"
    question = "How likely are you to recommend us?"
    display  = "number"
    scale    = 10
  }]
}
