resource "posthog_survey" "test" {
  name        = "Changed"
  description = "Every field is another one"
  type        = "widget"
  start_date  = "2026-03-02T09:00:00Z"
  end_date    = "2026-05-01T09:00:00Z"
  archived    = false

  linked_flag_id = 2
  targeting_flag_filters = jsonencode({
    groups = [{
      properties         = [{ key = "plan", type = "person", value = ["free"], operator = "exact" }]
      rollout_percentage = 20
    }]
  })

  questions = [
    { type = "link", question = "Read more", link = "mailto:more@example.com" },
    {
      type                     = "rating"
      question                 = "How likely are you to recommend us?"
      description              = "<b>0</b> is not at all"
      description_content_type = "html"
      display                  = "emoji"
      scale                    = 5
      lower_bound_label        = "No"
      upper_bound_label        = "Yes"
      button_text              = "Go on"
      optional                 = true
    },
  ]

  conditions = jsonencode({ selector = ".cta" })
  appearance = jsonencode({ backgroundColor = "#000000", position = "left" })

  responses_limit              = 200
  iteration_count              = 3
  iteration_frequency_days     = 10
  iteration_start_dates        = ["2026-03-02T09:00:00Z"]
  current_iteration            = 2
  current_iteration_start_date = "2026-03-12T09:00:00Z"
}
