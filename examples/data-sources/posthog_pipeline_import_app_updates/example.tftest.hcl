mock_provider "posthog" {
  mock_data "posthog_pipeline_import_app_updates" {
    defaults = {
      tag        = "1.4.0"
      latest_tag = "1.5.0"
    }
  }
}

run "tells_of_the_update" {
  assert {
    condition     = output.update_available
    error_message = "1.5.0 is newer than 1.4.0."
  }
}
