# Every import app of the organization of the provider:
data "posthog_pipeline_import_apps" "all" {}

# Those whose code is on the disk of the service:
data "posthog_pipeline_import_apps" "local" {
  plugin_type = "local"
}

output "names" {
  value = [for app in data.posthog_pipeline_import_apps.all.pipeline_import_apps : app.name]
}
