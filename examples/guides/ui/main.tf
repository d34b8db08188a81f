# Terraform creates the survey and decides when it runs. Teammates edit its text and colors
# in PostHog, and an apply leaves them unchanged.
resource "posthog_survey" "shared" {
  name   = "Beta feedback"
  type   = "popover"
  status = "running"

  questions = [
    {
      type     = "open"
      question = "What should we improve?"
    },
  ]

  lifecycle {
    ignore_changes = [questions, appearance]
  }
}
