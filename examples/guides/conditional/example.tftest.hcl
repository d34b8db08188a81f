mock_provider "posthog" {}

run "asks_for_a_call" {
  command = plan

  assert {
    condition     = [for question in posthog_survey.feedback.questions : question.type] == ["rating", "single_choice", "open"]
    error_message = "The question about a call must stand between the two others."
  }
}

run "asks_for_no_call" {
  command = plan

  variables {
    ask_for_a_call = false
  }

  assert {
    condition     = [for question in posthog_survey.feedback.questions : question.type] == ["rating", "open"]
    error_message = "The question about a call must be left out."
  }
}
