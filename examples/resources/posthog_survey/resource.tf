resource "posthog_survey" "nps" {
  name        = "Quarterly NPS"
  description = "How likely our customers are to recommend us, and why."
  type        = "popover"

  questions = [
    {
      type              = "rating"
      question          = "How likely are you to recommend us to a friend or colleague?"
      display           = "number"
      scale             = 10
      lower_bound_label = "Not at all likely"
      upper_bound_label = "Extremely likely"

      # The places of the questions to go to, from 0.
      branching = {
        type = "response_based"
        response_values = {
          detractors = "1"
          passives   = "2"
          promoters  = "end"
        }
      }
    },
    {
      type      = "open"
      question  = "What disappointed you?"
      optional  = true
      branching = { type = "end" }
    },
    {
      type            = "multiple_choice"
      question        = "What would have made it a 10?"
      choices         = ["Speed", "Fewer clicks", "Better documentation", "Something else"]
      has_open_choice = true
    },
  ]

  # Who sees it: half of the people on a paid plan.
  targeting_flag_filters = jsonencode({
    groups = [{
      properties = [
        { key = "plan", type = "person", operator = "exact", value = ["team", "enterprise"] },
      ]
      rollout_percentage = 50
    }]
  })

  # Where, and how often.
  conditions = jsonencode({
    url                        = "/dashboard"
    urlMatchType               = "icontains"
    seenSurveyWaitPeriodInDays = 90
  })

  appearance = jsonencode({
    position               = "right"
    submitButtonColor      = "#1d4aff"
    displayThankYouMessage = true
    thankYouMessageHeader  = "Thank you!"
  })

  # A new survey is a draft. Set "running" to launch it, "completed" to stop it.
  status          = "draft"
  responses_limit = 500
}
