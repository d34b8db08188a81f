# A feedback tab at the edge of the page, for half of the people on a paid plan.
resource "posthog_survey" "feedback" {
  name = "Feedback tab"
  type = "widget"

  questions = [
    {
      type     = "open"
      question = "What can we do better?"
    },
  ]

  targeting_flag_filters = jsonencode({
    groups = [
      {
        properties = [
          { key = "plan", type = "person", operator = "exact", value = ["team", "enterprise"] },
        ]
        rollout_percentage = 50
      },
    ]
  })

  appearance = jsonencode({
    widgetType  = "tab"
    widgetLabel = "Feedback"
    widgetColor = "#1d4aff"
  })
}
