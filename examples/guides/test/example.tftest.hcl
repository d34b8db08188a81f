# Without a service. survey.tftest.hcl tests the same against the test server.
mock_provider "posthog" {}

run "is_planned_as_a_draft" {
  command = plan

  assert {
    condition     = posthog_survey.nps.status == "draft"
    error_message = "A new survey must be planned as a draft."
  }
}
