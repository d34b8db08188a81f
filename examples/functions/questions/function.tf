# Unhappy customers are asked for the reason, happy ones for a review. The branching
# names questions, so a question can be inserted or moved without counting again.
resource "posthog_survey" "nps" {
  name = "Quarterly NPS"
  type = "popover"

  questions = provider::posthog::questions([
    {
      type            = "rating"
      question        = "How likely are you to recommend us to a colleague?"
      scale           = 10
      display         = "number"
      is_nps_question = true
      branching = {
        type = "response_based"
        response_values = {
          detractors = "reason"
          passives   = "reason"
          promoters  = "review"
        }
      }
    },
    {
      name      = "reason"
      type      = "open"
      question  = "What should we do better?"
      branching = { type = "end" }
    },
    {
      name        = "review"
      type        = "link"
      question    = "Would you tell others?"
      button_text = "Write a review"
      link        = "https://example.com/reviews"
    },
  ])
}
