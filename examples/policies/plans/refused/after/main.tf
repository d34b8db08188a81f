# Answers are detached: the open question is removed.
resource "posthog_survey" "running" {
  project_id      = "12345"
  name            = "Relationship NPS"
  type            = "popover"
  status          = "running"
  responses_limit = 500
  conditions      = jsonencode({ seenSurveyWaitPeriodInDays = 30 })

  questions = [
    { type = "rating", question = "How likely are you to recommend us?", display = "number", scale = 10 },
  ]
}

# The survey "answered" is gone from the configuration: it would be deleted.

# Launched outside of production, without an end and without a wait period.
resource "posthog_survey" "staging" {
  project_id = "67890"
  name       = "Try-out"
  type       = "popover"
  status     = "running"

  questions = [{ type = "open", question = "Does it work?" }]
}

# Half a translation, and too many questions that cannot be skipped.
resource "posthog_survey" "long" {
  project_id = "12345"
  name       = "Everything we want to know"
  type       = "popover"

  questions = [
    {
      type         = "open"
      question     = "Who are you?"
      translations = jsonencode({ de = { question = "Wer sind Sie?" } })
    },
    { type = "open", question = "What do you do?" },
    {
      type         = "single_choice"
      question     = "How large is your team?"
      choices      = ["1", "2 to 10", "more"]
      translations = jsonencode({ de = { question = "Wie groß ist Ihr Team?" } })
    },
    {
      type         = "open"
      question     = "What else?"
      translations = jsonencode({ de = { question = "Was noch?" } })
    },
  ]
}

resource "posthog_pipeline_import_app" "unknown" {
  name        = "Ticket import"
  plugin_type = "custom"
  url         = "https://github.com/someone/tickets"
}
