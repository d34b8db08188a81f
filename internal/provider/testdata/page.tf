resource "posthog_survey" "watched" {
  name = "Watched on the page"
  type = "popover"

  questions = [
    { type = "open", question = "What is on your mind?" },
  ]
}
