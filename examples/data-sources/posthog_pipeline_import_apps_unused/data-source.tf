data "posthog_pipeline_import_apps_unused" "all" {}

output "unused" {
  value = coalesce(data.posthog_pipeline_import_apps_unused.all.app_ids, [])
}
