mock_provider "posthog" {}

run "has_one_look" {
  command = plan
  assert {
    condition     = jsondecode(posthog_survey.nps.appearance).submitButtonColor == jsondecode(posthog_survey.bug.appearance).submitButtonColor
    error_message = "The surveys must look alike."
  }
}
