mock_provider "posthog" {}

run "is_ready_to_be_invoked" {
  command = plan
}
