data "posthog_pipeline_import_app" "test" {
  id = 4711
}
