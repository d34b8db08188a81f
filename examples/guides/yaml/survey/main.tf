terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}

variable "name" {
  type = string
}

# The function refuses a misspelt key, which Terraform drops in silence. The type any
# lets every question have attributes of its own.
variable "questions" {
  type = any
}

variable "status" {
  type    = string
  default = "draft"
}

resource "posthog_survey" "this" {
  name      = var.name
  type      = "popover"
  status    = var.status
  questions = provider::posthog::questions(var.questions)
}
