resource "posthog_survey" "this" {
  name       = "Exit survey 2025"
  type       = "popover"
  archived   = true
  start_date = "2025-01-01T00:00:00Z"
  end_date   = "2025-07-01T00:00:00Z"

  questions = [{ type = "open", question = "Why did you leave?" }]
}
