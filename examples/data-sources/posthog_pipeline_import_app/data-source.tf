# By name:
data "posthog_pipeline_import_app" "tickets" {
  name = "Help desk tickets"
}

# By id, in another organization than that of the provider:
data "posthog_pipeline_import_app" "staging" {
  organization_id = "0190a1f0-3f5b-7c41-9d2e-000000000002"
  id              = 23
}

output "newest_version" {
  value = data.posthog_pipeline_import_app.tickets.latest_tag
}
