variable "surveys" {
  description = "Questions by the name of the survey, as JSON."
  type        = string
}

resource "posthog_survey" "test" {
  for_each = jsondecode(var.surveys)

  name = each.key
  type = "popover"
  questions = [for question in each.value : {
    type     = question.type
    question = question.question
    choices  = try(question.choices, null)
    link     = try(question.link, null)
  }]
}
