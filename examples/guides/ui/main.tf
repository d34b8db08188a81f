# Terraform makes the survey and decides when it runs; its texts and colours are edited
# in the web interface, and an apply leaves them alone.
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
