data "posthog_pipeline_import_app" "test" {
  id   = 8
  name = "App 007"
}
