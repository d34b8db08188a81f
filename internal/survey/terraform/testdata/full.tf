resource "posthog_survey" "test" {
  name        = "Full"
  description = "Every field of the interface"
  type        = "popover"
  start_date  = "2026-03-01T09:00:00Z"
  end_date    = "2026-04-01T09:00:00+02:00"
  archived    = true

  linked_flag_id = 1
  targeting_flag_filters = jsonencode({
    groups = [{
      properties         = [{ key = "plan", type = "person", value = ["pro"], operator = "exact" }]
      rollout_percentage = 50
    }]
  })

  questions = [
    {
      type                     = "rating"
      question                 = "How likely are you to recommend us?"
      description              = "0 is not at all"
      description_content_type = "text"
      display                  = "number"
      scale                    = 10
      lower_bound_label        = "Unlikely"
      upper_bound_label        = "Very likely"
      button_text              = "Next"
      branching = {
        type            = "response_based"
        response_values = { detractors = "1", promoters = "end" }
      }
    },
    { type = "open", question = "What is missing?", optional = true, branching = { type = "next_question" } },
    {
      type            = "single_choice"
      question        = "Which part do you use most?"
      choices         = ["Surveys", "Flags", "Other"]
      shuffle_options = true
      has_open_choice = true
      branching       = { type = "specific_question", index = 4 }
    },
    { type = "multiple_choice", question = "What else?", choices = ["A", "B"], branching = { type = "end" } },
    { type = "link", question = "Read more", link = "https://example.com/more" },
  ]

  conditions = jsonencode({ url = "/pricing", urlMatchType = "icontains", deviceTypes = ["Desktop"] })
  appearance = jsonencode({ backgroundColor = "#ffffff", position = "right", surveyPopupDelaySeconds = 5 })

  responses_limit              = 100
  iteration_count              = 2
  iteration_frequency_days     = 30
  iteration_start_dates        = ["2026-03-01T09:00:00Z", "2026-03-31T09:00:00Z"]
  current_iteration            = 1
  current_iteration_start_date = "2026-03-01T09:00:00Z"
}
