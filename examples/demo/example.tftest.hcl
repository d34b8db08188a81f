mock_provider "posthog" {}

run "everyone_is_asked_for_a_call" {
  command = plan

  assert {
    condition     = posthog_survey.nps.questions[1].branching.index == 4 && posthog_survey.nps.questions[2].branching.index == 4
    error_message = "Both ways must lead to the last question."
  }

  assert {
    condition     = length(posthog_survey.nps.questions) == 5
    error_message = "The last question must be at place 4."
  }
}
