variable "id" {
  type = string
}

import {
  to = posthog_survey.test
  id = var.id
}

resource "posthog_survey" "test" {
  name   = "Made by hand"
  type   = "api"
  status = "running"
  questions = [
    { type = "open", question = "Why?", extra = jsonencode({ originalQuestionIndex = 0 }) },
  ]
  conditions = <<-JSON
    {
      "urlMatchType": "exact",
      "url": "https://example.com/?a=1&b=2"
    }
  JSON
}
