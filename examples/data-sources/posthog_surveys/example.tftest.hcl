# A mocked list is empty: terraform test cannot fill it.
mock_provider "posthog" {}

run "takes_a_project_without_surveys" {
  assert {
    condition     = length(output.running) == 0
    error_message = "Without objects the output must be empty, and no error."
  }
}
