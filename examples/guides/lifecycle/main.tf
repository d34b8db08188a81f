resource "posthog_survey" "answered" {
  name            = "Exit interview"
  type            = "popover"
  status          = "completed"
  deletion_policy = "archive" # counts for a destroy once it was applied

  questions = [
    {
      type     = "open"
      question = "What made you leave?"
    },
  ]

  lifecycle {
    prevent_destroy = true
  }
}
