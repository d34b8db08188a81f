resource "posthog_pipeline_import_app" "test" {}
