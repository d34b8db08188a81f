resource "posthog_survey" "nps" {
  name = "Quarterly NPS"
  type = "popover"

  questions = [
    { type = "rating", question = "How likely are you to recommend us?", display = "number", scale = 10 },
    { type = "open", question = "What disappointed you?" },
  ]
}

# The property of "survey sent" events that a query for the scores reads.
output "property" {
  value = provider::posthog::response_key(posthog_survey.nps.questions[0])
}
