# A tab at the edge of each page opens this survey.
resource "posthog_survey" "feedback" {
  name = "Feedback tab"
  type = "widget"

  questions = [
    { type = "open", question = "What can we do better?" },
  ]

  appearance = jsonencode({
    widgetType  = "tab"
    widgetLabel = "Feedback"
    tabPosition = "left"
  })

  # The tab stays for those who have answered.
  schedule = "always"
}
