mock_provider "posthog" {}

run "keeps_the_ids" {
  command = plan

  assert {
    condition     = [for question in posthog_survey.satisfaction.questions : question.id] == ["satisfaction-score", "main-reason-2026"]
    error_message = "The ids must be those of the configuration."
  }
}
