variable "name" {
  type = string
}

data "posthog_pipeline_import_app" "test" {
  name = var.name
}
