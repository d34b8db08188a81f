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

# The questions function rejects misspelled keys, which Terraform drops silently. The type
# any lets each question have different attributes.
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
