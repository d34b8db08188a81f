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

variable "keep_answers" {
  type    = bool
  default = false
}

resource "posthog_survey" "this" {
  name            = var.name
  type            = "popover"
  status          = var.launch ? "running" : "draft"
  deletion_policy = var.keep_answers ? "delete_unanswered" : "delete"
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

# The property of an answer's event that has the score.
output "score" {
  value = provider::posthog::response_key(posthog_survey.this.questions[0])
}
