resource "posthog_survey" "this" {
  name = "Every kind"
  type = "popover"

  questions = [
    {
      type                     = "rating"
      question                 = "How likely are you to recommend us?"
      description              = "0 is not at all"
      description_content_type = "text"
      display                  = "number"
      scale                    = 10
      lower_bound_label        = "Not likely"
      upper_bound_label        = "Very likely"
      is_nps_question          = true
      button_text              = "Next"
      branching = {
        type            = "response_based"
        response_values = { detractors = 1, passives = 2, promoters = "end" }
      }
    },
    {
      type       = "open"
      question   = "What went wrong?"
      optional   = true
      validation = [{ type = "min_length", value = 10 }]
      branching  = { type = "specific_question", index = 3 }
    },
    {
      type               = "single_choice"
      question           = "How did you find us?"
      choices            = ["Search", "A friend", "Other"]
      has_open_choice    = true
      skip_submit_button = true
      branching          = { type = "next_question" }
    },
    {
      type            = "multiple_choice"
      question        = "What do you use?"
      choices         = ["Insights", "Surveys", "Flags"]
      shuffle_options = true
      branching       = { type = "end" }
    },
    {
      type        = "link"
      question    = "Talk to us"
      link        = "https://example.com/call?a=1&b=2"
      button_text = "Book a call"
    },
  ]
}
