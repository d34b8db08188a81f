mock_provider "posthog" {
  mock_data "posthog_pipeline_import_app" {
    defaults = {
      latest_tag = "1.5.0"
    }
  }
}

run "puts_out_the_newest_version" {
  assert {
    condition     = output.newest_version == "1.5.0"
    error_message = "The output must be the newest tag of the app's code."
  }
}
