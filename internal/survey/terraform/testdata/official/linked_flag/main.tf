resource "posthog_survey" "this" {
  name              = "New checkout"
  type              = "popover"
  linked_flag_id    = 41
  linked_insight_id = 912

  questions = [
    {
      type     = "single_choice"
      question = "Is the new checkout better?"
      choices  = ["Yes", "No"]
      branching = {
        type            = "response_based"
        response_values = { "0" = "end", "1" = 1 }
      }
    },
    { type = "open", question = "What is missing?" },
  ]

  conditions = jsonencode({ url = "/checkout", urlMatchType = "icontains", linkedFlagVariant = "test" })
}
