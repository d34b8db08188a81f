mock_provider "posthog" {}

run "turns_names_into_places" {
  command = plan

  assert {
    condition     = posthog_survey.nps.questions[0].branching.response_values.promoters == "2"
    error_message = "Promoters must be asked for a review."
  }
}
