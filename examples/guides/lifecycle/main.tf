resource "posthog_survey" "answered" {
  name            = "Exit interview"
  type            = "popover"
  status          = "completed"
  deletion_policy = "archive" # apply this before you destroy the resource

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
