mock_provider "posthog" {}

run "every_entry_can_be_planned" {
  command = plan

  assert {
    condition     = alltrue([for survey in values(local.surveys) : length(survey.questions) > 0])
    error_message = "Every entry of the file must have questions."
  }
}
