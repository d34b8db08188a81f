variable "generation" {
  type = string
}

variable "description" {
  type = string
}

# Another generation makes both anew.
resource "terraform_data" "generation" {
  input = var.generation
}

resource "posthog_survey" "night" {
  name        = "Night watch"
  type        = "popover"
  description = var.description
  questions   = [{ type = "open", question = "Why?" }]

  lifecycle {
    replace_triggered_by = [terraform_data.generation]
  }
}

resource "posthog_pipeline_import_app" "night" {
  name         = "Night watch"
  plugin_type  = "source"
  description  = var.description
  capabilities = jsonencode({ scheduled_tasks = ["runEveryMinute"] })

  lifecycle {
    replace_triggered_by = [terraform_data.generation]
  }
}
