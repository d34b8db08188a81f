mock_provider "posthog" {}

run "asks_for_the_token_as_a_secret" {
  command = plan

  assert {
    condition     = alltrue([for field in jsondecode(posthog_pipeline_import_app.tickets.config_schema) : field.secret if field.key == "token"])
    error_message = "The token must be kept as a secret."
  }
}
