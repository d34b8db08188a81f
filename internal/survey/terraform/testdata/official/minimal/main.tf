resource "posthog_survey" "this" {
  name = "Feedback"
  type = "popover"

  questions = [
    { type = "open", question = "What can we do better?" },
  ]
}
