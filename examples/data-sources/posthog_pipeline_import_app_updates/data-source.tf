data "posthog_pipeline_import_app_updates" "tickets" {
  app_id = 17
}

output "update_available" {
  value = (
    data.posthog_pipeline_import_app_updates.tickets.latest_tag != null &&
    data.posthog_pipeline_import_app_updates.tickets.latest_tag != data.posthog_pipeline_import_app_updates.tickets.tag
  )
}
