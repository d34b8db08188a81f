# A mocked list is empty: terraform test cannot fill it.
mock_provider "posthog" {}

run "imports_nothing_of_an_empty_project" {
  command = plan

  assert {
    condition     = length(posthog_survey.imported) == 0
    error_message = "Nothing is there to be imported."
  }
}
