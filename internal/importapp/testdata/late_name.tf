variable "round" {
  type = number
}

resource "terraform_data" "name" {
  input            = "The same name"
  triggers_replace = var.round
}

resource "posthog_pipeline_import_app" "test" {
  name = terraform_data.name.output
}
