mock_provider "posthog" {}

run "is_archived_by_a_destroy" {
  command = plan

  assert {
    condition     = posthog_survey.nps.deletion_policy == "archive"
    error_message = "The responses must stay in sight."
  }
}
