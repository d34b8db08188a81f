resource "posthog_survey" "satisfaction" {
  name = "Satisfaction"
  type = "popover"

  questions = [
    {
      # A fixed ID: the answers stay together however the text changes.
      id       = "satisfaction-score"
      type     = "rating"
      question = "How satisfied are you with our product?"
      display  = "emoji"
      scale    = 5
    },
    {
      # This replaces a question that asked something else. With a new ID, it starts
      # without answers, and the earlier answers stay under the old ID.
      id       = "main-reason-2026"
      type     = "open"
      question = "What should we change first?"
    },
  ]

  # If you destroy the resource, archive the survey instead of deleting it.
  deletion_policy = "archive"
}
