data "posthog_pipeline_import_apps_exports_unsubscribe_configs" "all" {}

output "exporting_projects" {
  value = distinct([
    for config in coalesce(data.posthog_pipeline_import_apps_exports_unsubscribe_configs.all.configs, []) :
    config.team_id
  ])
}
