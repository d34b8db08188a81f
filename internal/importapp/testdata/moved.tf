resource "posthog_pipeline_import_app" "test" {
  url = "https://github.com/example/another-import"
}
