data "posthog_pipeline_import_apps_activity" "recent" {
  limit = 20
}

output "installed" {
  value = [
    for entry in coalesce(data.posthog_pipeline_import_apps_activity.recent.entries, []) :
    entry.name if entry.activity == "installed"
  ]
}
