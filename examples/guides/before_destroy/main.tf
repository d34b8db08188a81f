action "posthog_survey_stop" "first" {
  config {
    survey_id = caller.id
  }
}

resource "posthog_survey" "nps" {
  name            = "Spring campaign"
  type            = "popover"
  status          = "running"
  deletion_policy = "archive"

  questions = [{ type = "open", question = "How did you hear about us?" }]

  lifecycle {
    action_trigger {
      events  = [before_destroy]
      actions = [action.posthog_survey_stop.first]
    }
  }
}
