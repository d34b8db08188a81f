# A mocked list is empty: terraform test cannot fill it.
mock_provider "posthog" {}

run "takes_an_empty_feed" {
  assert {
    condition     = length(output.question_edits) == 0
    error_message = "Without objects the output must be empty, and no error."
  }
}
