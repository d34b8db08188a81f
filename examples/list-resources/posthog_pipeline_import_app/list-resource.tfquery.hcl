# terraform query -generate-config-out=apps.tf
list "posthog_pipeline_import_app" "all" {
  provider = posthog
}
