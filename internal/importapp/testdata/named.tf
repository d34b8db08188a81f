variable "name" {
  type    = string
  default = "Named"
}

resource "posthog_pipeline_import_app" "test" {
  name = var.name
}
