mock_provider "posthog" {
  mock_data "posthog_pipeline_import_app_source" {
    defaults = {
      files = { "plugin.json" = "{}", "index.ts" = "" }
    }
  }
}

run "puts_out_the_files" {
  assert {
    condition     = output.files == tolist(["index.ts", "plugin.json"])
    error_message = "The output must be the names of the files in order."
  }
}
