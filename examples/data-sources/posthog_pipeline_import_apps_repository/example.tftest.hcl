# A mocked list is empty: terraform test cannot fill it.
mock_provider "posthog" {}

run "takes_an_empty_repository" {
  assert {
    condition     = length(output.verified) == 0
    error_message = "Without objects the output must be empty, and no error."
  }
}
