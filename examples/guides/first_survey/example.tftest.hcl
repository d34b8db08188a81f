mock_provider "posthog" {}

run "is_a_draft_with_a_limit" {
  command = plan

  assert {
    condition     = posthog_survey.nps.status == "draft" && posthog_survey.nps.responses_limit == 500
    error_message = "The first survey must not be launched, and must end by itself."
  }
}
