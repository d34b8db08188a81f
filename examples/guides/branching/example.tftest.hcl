mock_provider "posthog" {}

run "names_become_places" {
  command = plan

  assert {
    condition     = posthog_survey.churn.questions[0].branching.response_values == tomap({ "0" = "1", "1" = "2", "2" = "end" })
    error_message = "Each reason must lead to its question."
  }

  assert {
    condition     = posthog_survey.churn.questions[1].branching.index == 3
    error_message = "The question about the price must lead to the last one."
  }
}
