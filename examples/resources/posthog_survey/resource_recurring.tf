# Everyone on a paid plan is asked once a quarter, four times.
resource "posthog_survey" "quarterly" {
  name = "Quarterly satisfaction"
  type = "popover"

  questions = [
    { type = "rating", question = "How satisfied are you with us?", display = "emoji", scale = 5 },
  ]

  schedule                 = "recurring"
  iteration_count          = 4
  iteration_frequency_days = 90

  targeting_flag_filters = jsonencode({
    groups = [{
      properties = [
        { key = "plan", type = "person", operator = "is_not", value = ["free"] },
      ]
    }]
  })
}
