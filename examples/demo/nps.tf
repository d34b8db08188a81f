# Asks for a score from 0 to 10, then goes on as the score suggests: 1 for those
# who are unhappy, 2 for the indifferent, 3 for the fans, and 4 for everyone.
resource "posthog_survey" "nps" {
  name        = "Quarterly NPS"
  description = "How likely our customers are to recommend us, and why."
  type        = "popover"

  questions = [
    {
      type              = "rating"
      question          = "How likely are you to recommend us to a friend or colleague?"
      description       = "Your answer goes straight to the product team."
      display           = "number"
      scale             = 10
      lower_bound_label = "Not at all likely"
      upper_bound_label = "Extremely likely"
      button_text       = "Next"
      branching = {
        type = "response_based"
        response_values = {
          detractors = "1"
          passives   = "2"
          promoters  = "3"
        }
      }
    },
    {
      type        = "open"
      question    = "What disappointed you?"
      optional    = true
      button_text = "Next"
      branching   = { type = "specific_question", index = 4 }
    },
    {
      type            = "multiple_choice"
      question        = "What would have made it a 10?"
      choices         = ["Speed", "Fewer clicks", "More integrations", "Better documentation", "Something else"]
      has_open_choice = true
      shuffle_options = true
      branching       = { type = "specific_question", index = 4 }
    },
    {
      type                     = "link"
      question                 = "Would you tell others?"
      description              = "A review takes <b>two minutes</b> and helps us a lot."
      description_content_type = "html"
      link                     = "https://reviews.example.com/write"
      button_text              = "Write a review"
      branching                = { type = "next_question" }
    },
    {
      type      = "single_choice"
      question  = "May we get in touch about your answers?"
      choices   = ["Yes", "No"]
      branching = { type = "end" }
    },
  ]

  conditions = jsonencode({
    url                        = "/dashboard"
    urlMatchType               = "icontains"
    deviceTypes                = ["Desktop"]
    deviceTypesMatchType       = "exact"
    seenSurveyWaitPeriodInDays = 90
  })

  appearance = jsonencode({
    backgroundColor                = "#ffffff"
    submitButtonColor              = "#1d4aff"
    position                       = "right"
    displayThankYouMessage         = true
    thankYouMessageHeader          = "Thank you!"
    thankYouMessageDescription     = "We read every answer."
    thankYouMessageCloseButtonText = "Close"
  })

  responses_limit = 500
}
