variable "surveys" {
  description = "The questions of each survey, as JSON."
  type        = string
}

locals {
  surveys = jsondecode(var.surveys)
}

resource "posthog_survey" "test" {
  count = length(local.surveys)

  name = "Survey ${count.index}"
  type = "popover"
  questions = [for question in local.surveys[count.index] : {
    type     = question.type
    question = question.question
    choices  = try(question.choices, null)
    link     = try(question.link, null)
  }]
}
