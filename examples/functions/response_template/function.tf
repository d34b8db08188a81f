resource "posthog_survey" "nps" {
  name = "Quarterly NPS"
  type = "popover"

  questions = [
    { type = "rating", question = "How likely are you to recommend us?", display = "number", scale = 10 },
    { type = "open", question = "What disappointed you?" },
  ]
}

# The text of a message that a destination sends for each event "survey sent".
output "message" {
  value = "New answer: ${provider::posthog::response_template(posthog_survey.nps.questions[1])}"
}
