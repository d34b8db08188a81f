resource "posthog_survey" "churn" {
  name = "Churn"
  type = "popover"

  questions = provider::posthog::questions([
    {
      type      = "single_choice"
      question  = "Will you come back?"
      choices   = ["Yes", "No"]
      branching = { type = "response_based", response_values = { "0" = "end", "1" = "reason" } }
    },
    {
      name     = "reason"
      type     = "open"
      question = "What made you leave?"
    },
  ])
}

# Draw it in the README of the module, between ```mermaid and ```.
output "flow" {
  value = provider::posthog::flow(posthog_survey.churn.questions)
}
