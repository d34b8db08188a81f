import {
  to = posthog_survey.quarterly_nps_que_tal_8e4b6f17
  id = "1/0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17"
}

resource "posthog_survey" "quarterly_nps_que_tal_8e4b6f17" {
  name           = "Quarterly NPS: ¿qué tal?"
  description    = <<-EOT
    Asked each quarter.
    Reviewed by $${team}.
  EOT
  type           = "popover"
  start_date     = "2026-01-01T10:00:00.123456Z"
  linked_flag_id = var.feature_flag_ids["new-dashboard"]
  targeting_flag_filters = jsonencode({
    groups = [
      {
        properties         = []
        rollout_percentage = 50
      },
    ]
  })
  questions = provider::posthog::questions([
    {
      type              = "rating"
      question          = "How likely are you to recommend us?"
      display           = "number"
      scale             = 10
      lower_bound_label = "Unlikely"
      upper_bound_label = "Very likely"
      is_nps_question   = true
      branching = {
        type = "response_based"
        response_values = {
          detractors = "what_went_wrong"
          passives   = "what_could_be_better"
          promoters  = "anything_else_2"
        }
      }
    },
    {
      name     = "what_went_wrong"
      type     = "open"
      question = "What went wrong?"
      validation = [
        {
          type  = "min_length"
          value = 10
        },
      ]
      branching = {
        type     = "specific_question"
        question = "anything_else"
      }
    },
    {
      name            = "what_could_be_better"
      type            = "multiple_choice"
      question        = "What could be better?"
      choices         = ["Speed", "Docs", "Price", "Other"]
      has_open_choice = true
      extra = jsonencode({
        originalQuestionIndex = 2
      })
    },
    {
      name     = "anything_else"
      id       = "a4"
      type     = "open"
      question = "Anything else?"
      branching = {
        type = "end"
      }
    },
    {
      name     = "anything_else_2"
      id       = "a5"
      type     = "open"
      question = "Anything else?"
    },
  ])
  conditions = jsonencode({
    actions = {
      values = [
        {
          id = 5
        },
      ]
    }
    url          = "/billing"
    urlMatchType = "icontains"
  })
  appearance = jsonencode({
    position              = "right"
    thankYouMessageHeader = "Thank you!"
    widgetColor           = "#1d4aff"
  })
  responses_limit = 500
}
