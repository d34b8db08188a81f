resource "posthog_survey" "satisfaction" {
  name = "Satisfaction"
  type = "popover"

  questions = [
    {
      # An id of its own: whatever the text, these answers stay together.
      id       = "satisfaction-score"
      type     = "rating"
      question = "How satisfied are you with our product?"
      display  = "emoji"
      scale    = 5
    },
    {
      # It asks something else than the question that was here: a new id begins without
      # answers, and the old ones stay under the old id.
      id       = "main-reason-2026"
      type     = "open"
      question = "What should we change first?"
    },
  ]

  # While there are answers, the survey is archived in place of deleted.
  deletion_policy = "archive"
}
