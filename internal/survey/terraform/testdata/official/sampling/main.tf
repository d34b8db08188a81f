resource "posthog_survey" "this" {
  name = "Visit reasons"
  type = "popover"

  questions = [{ type = "open", question = "What are you here for today?" }]

  response_sampling_start_date    = "2026-03-02T00:00:00Z"
  response_sampling_interval_type = "day"
  response_sampling_interval      = 3
  response_sampling_limit         = 100
}
