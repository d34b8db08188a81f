resource "posthog_survey" "this" {
  name              = "Effort score"
  type              = "popover"
  start_date        = "2026-02-01T10:00:00.123456Z"
  targeting_flag_id = 44

  questions = [{
    type              = "rating"
    question          = "How easy was it?"
    display           = "number"
    scale             = 7
    lower_bound_label = "Hard"
    upper_bound_label = "Easy"
    button_text       = "Submit"

    description_content_type = "text"
  }]

  conditions = jsonencode({
    url     = ""
    actions = { values = [] }
    events  = { values = [], repeatedActivation = null }
  })
  appearance = jsonencode({ position = "center", zIndex = "2147482647" })
}
