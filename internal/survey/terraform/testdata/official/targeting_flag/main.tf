resource "posthog_survey" "this" {
  name                     = "Beta users"
  type                     = "widget"
  targeting_flag_id        = 42
  enable_partial_responses = true
  create_in_folder         = "Unfiled/Surveys"

  questions = [{ type = "open", question = "What do you build with us?" }]

  appearance = jsonencode({ widgetType = "tab", widgetLabel = "Feedback", widgetColor = "black" })
}
