# A running survey is edited, and its answers stay: one question is reworded, and one comes
# between the two.
resource "posthog_survey" "nps" {
  project_id      = "12345"
  name            = "Relationship NPS"
  type            = "popover"
  status          = "running"
  responses_limit = 500
  conditions      = jsonencode({ seenSurveyWaitPeriodInDays = 30 })

  questions = [
    { type = "rating", question = "How likely are you to recommend us to a colleague?", display = "number", scale = 10 },
    { type = "single_choice", question = "May we write to you?", choices = ["Yes", "No"], optional = true },
    { type = "open", question = "What disappointed you?", optional = true },
  ]
}

# The survey "retired" is gone from the configuration: it is archived.

# A draft outside of production, in two languages.
resource "posthog_survey" "onboarding" {
  project_id = "67890"
  name       = "Onboarding"
  type       = "popover"

  questions = [
    {
      type         = "single_choice"
      question     = "How was the start?"
      choices      = ["Easy", "Hard"]
      translations = jsonencode({ de = { question = "Wie war der Einstieg?", choices = ["Leicht", "Schwer"] } })
    },
  ]
}

resource "posthog_pipeline_import_app" "tickets" {
  name        = "Ticket import"
  plugin_type = "custom"
  url         = "https://github.com/acme/tickets"
}
