mock_provider "posthog" {}

run "is_planned_as_a_draft" {
  command = plan

  assert {
    condition     = posthog_survey.new_editor.status == "draft"
    error_message = "The survey must be planned as a draft."
  }
}
