mock_provider "posthog" {}

variables {
  repository_token = "not-a-token"
}

run "has_no_token_in_its_address" {
  command = plan

  assert {
    condition     = posthog_pipeline_import_app.private.url == "https://github.com/acme/import-tickets"
    error_message = "A plan prints the address."
  }
}
