mock_provider "posthog" {}

run "takes_questions_as_they_are_written" {
  command = plan

  assert {
    condition     = posthog_survey.onboarding.questions[0].display == "emoji"
    error_message = "The first question must show emoji."
  }
}
