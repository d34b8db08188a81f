mock_provider "posthog" {}

run "keeps_the_way_through_the_survey" {
  command = plan

  assert {
    condition     = posthog_survey.nps.questions[0].branching.response_values == tomap({ detractors = "1", passives = "end", promoters = "end" })
    error_message = "Branching must be as before the migration."
  }
}
