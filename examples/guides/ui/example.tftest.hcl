mock_provider "posthog" {}

run "runs" {
  command = plan

  assert {
    condition     = posthog_survey.shared.status == "running"
    error_message = "Terraform must decide that the survey runs."
  }
}
