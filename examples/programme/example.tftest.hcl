mock_provider "posthog" {}

run "waits_for_a_season" {
  command = plan
  assert {
    condition     = alltrue([for s in posthog_survey.programme : jsondecode(s.conditions).seenSurveyWaitPeriodInDays == 90])
    error_message = "Each survey must wait for a season after another one."
  }
}
