mock_provider "posthog" {}

variables {
  name = "NPS"
}

run "is_a_draft" {
  command = plan

  assert {
    condition     = posthog_survey.this.status == "draft"
    error_message = "The module must not launch unless launch is set."
  }
}
