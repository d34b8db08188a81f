import {
  to = posthog_pipeline_import_app.tickets
  id = "0190a1f0-3f5b-7c41-9d2e-6a1b8c0d4e5f/17"
}
