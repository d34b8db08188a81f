import {
  to = posthog_survey.cancelled
  id = var.survey_id
}

resource "posthog_survey" "cancelled" {
  name = "Why did you cancel?"
  type = "popover"

  questions = [{
    type            = "single_choice"
    question        = "What is the main reason?"
    choices         = ["Too expensive", "A feature is missing", "Something else"]
    has_open_choice = true
  }]

  appearance = jsonencode({ position = "right", backgroundColor = "#f4f4f2" })
}

variable "survey_id" {
  type = string
}
