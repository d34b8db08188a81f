# Functions are those of the provider itself, also where its resources are mocked.
mock_provider "posthog" {}

run "draws_the_way_to_the_reason" {
  assert {
    condition     = strcontains(output.flow, "q0 -->|\"No\"| q1")
    error_message = "Who does not come back must be asked for the reason."
  }
}
