mock_provider "posthog" {
  mock_data "posthog_pipeline_import_apps_unused" {
    defaults = {
      app_ids = [17]
    }
  }
}

run "puts_out_the_ids" {
  assert {
    condition     = contains(output.unused, 17)
    error_message = "The output must be the ids of unused apps."
  }
}
