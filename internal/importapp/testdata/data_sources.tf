data "posthog_pipeline_import_apps" "all" {}

data "posthog_pipeline_import_apps" "local" {
  plugin_type = "local"
}

data "posthog_pipeline_import_apps" "named" {
  name = "App 007"
}

data "posthog_pipeline_import_apps" "none" {
  name        = "App 007"
  plugin_type = "inline"
}

data "posthog_pipeline_import_app" "by_name" {
  name = "App 007"
}

data "posthog_pipeline_import_app" "by_id" {
  id = data.posthog_pipeline_import_app.by_name.id
}

output "all" {
  value = length(data.posthog_pipeline_import_apps.all.pipeline_import_apps)
}

output "local" {
  value = length(data.posthog_pipeline_import_apps.local.pipeline_import_apps)
}

output "named" {
  value = data.posthog_pipeline_import_apps.named.pipeline_import_apps[*].id
}

output "none" {
  value = data.posthog_pipeline_import_apps.none.pipeline_import_apps
}

output "same" {
  value = jsondecode(data.posthog_pipeline_import_app.by_id.metrics).number
}
