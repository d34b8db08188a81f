resource "posthog_survey" "churn" {
  name = "Churn"
  type = "popover"

  # The function replaces names with positions during the plan, so you can insert or move
  # a question without renumbering. An unknown name is an error.
  questions = provider::posthog::questions([
    {
      type     = "single_choice"
      question = "Why are you leaving?"
      choices  = ["Too expensive", "Missing features", "Something else"]
      branching = {
        type = "response_based"
        response_values = {
          "0" = "price"
          "1" = "features"
          "2" = "end"
        }
      }
    },
    {
      name      = "price"
      type      = "rating"
      question  = "How fair is our price?"
      display   = "number"
      scale     = 5
      branching = { type = "specific_question", question = "last" }
    },
    {
      name     = "features"
      type     = "open"
      question = "Which feature did you miss?"
    },
    {
      name     = "last"
      type     = "single_choice"
      question = "May we write to you when that changes?"
      choices  = ["Yes", "No"]
    },
  ])
}

output "flow" {
  value = provider::posthog::flow(posthog_survey.churn.questions)
}
