data "posthog_pipeline_import_app_source" "tickets" {
  app_id = 17
}

output "files" {
  value = sort(keys(coalesce(data.posthog_pipeline_import_app_source.tickets.files, {})))
}
