resource "posthog_survey" "nps" {
  name = "NPS in code"
  type = "popover"

  questions = [
    { type = "rating", question = "How likely are you to recommend us?", display = "number", scale = 10 },
    { type = "open", question = "What disappointed you?" },
  ]
}

output "survey_keys" {
  description = "The survey's ID, and the event property of each question by its text."
  value = {
    id         = posthog_survey.nps.id
    properties = { for question in posthog_survey.nps.questions : question.question => provider::posthog::response_key(question) }
  }
}

# The body of a webhook that receives each answer.
output "webhook_body" {
  value = jsonencode({
    score  = provider::posthog::response_template(posthog_survey.nps.questions[0])
    reason = provider::posthog::response_template(posthog_survey.nps.questions[1])
  })
}
