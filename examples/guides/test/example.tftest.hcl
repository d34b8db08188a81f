# Without a server. survey.tftest.hcl runs the same checks against the test server.
mock_provider "posthog" {}

run "is_planned_as_a_draft" {
  command = plan

  assert {
    condition     = posthog_survey.nps.status == "draft"
    error_message = "A new survey must be planned as a draft."
  }
}
