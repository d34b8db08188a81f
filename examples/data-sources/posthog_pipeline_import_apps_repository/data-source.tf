data "posthog_pipeline_import_apps_repository" "all" {}

output "verified" {
  value = [
    for app in coalesce(data.posthog_pipeline_import_apps_repository.all.apps, []) :
    app.url if app.verified == true
  ]
}
