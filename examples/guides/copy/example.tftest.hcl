# A mocked list is empty: terraform test cannot fill it.
mock_provider "posthog" {}

run "copies_nothing_of_an_empty_project" {
  command = plan

  assert {
    condition     = length(posthog_survey.production) == 0
    error_message = "Nothing is there to be copied."
  }
}
