# terraform query -generate-config-out=apps.tf
list "posthog_pipeline_import_app" "all" {
  provider = posthog
  limit    = 1000 # Terraform stops at 100 unless this says otherwise
}
