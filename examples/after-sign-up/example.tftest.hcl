mock_provider "posthog" {}

run "asks_after_two_weeks" {
  command = plan
  assert {
    condition     = jsondecode(posthog_survey.settled.targeting_flag_filters).groups[0].properties[0].value == "-14d"
    error_message = "People must be asked from the fourteenth day on."
  }
}
