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

variable "launch" {
  type    = bool
  default = false
}

resource "posthog_survey" "this" {
  name            = var.name
  type            = "popover"
  status          = var.launch ? "running" : "draft"
  responses_limit = 500

  questions = [
    {
      type     = "rating"
      question = "How likely are you to recommend us?"
      display  = "number"
      scale    = 10
    },
  ]
}
