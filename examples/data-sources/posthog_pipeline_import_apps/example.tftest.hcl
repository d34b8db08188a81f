# A mocked list is empty: terraform test cannot fill it.
mock_provider "posthog" {}

run "takes_an_organization_without_apps" {
  assert {
    condition     = length(output.names) == 0
    error_message = "Without objects the output must be empty, and no error."
  }
}
