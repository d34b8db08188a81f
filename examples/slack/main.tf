# Sends each answer to a channel of Slack, by a destination of the official provider.
terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
    official = {
      source = "posthog/posthog"
    }
  }
}

provider "posthog" {
  project_id = "12345"
}

provider "official" {
  project_id = "12345"
}

variable "slack_integration" {
  description = "Number of the Slack workspace among the integrations of the project."
  type        = number
  default     = 1
}

resource "posthog_survey" "feedback" {
  name = "Feedback"
  type = "popover"

  questions = [
    { type = "open", question = "What can we do better?" },
  ]
}

resource "posthog_hog_function" "slack" {
  provider    = official
  name        = "Feedback in Slack"
  type        = "destination"
  template_id = "template-slack"
  enabled     = true

  filters_json = jsonencode({
    source = "events"
    events = [{
      id         = "survey sent"
      type       = "events"
      properties = [{ key = "$survey_id", type = "event", operator = "exact", value = posthog_survey.feedback.id }]
    }]
  })

  inputs_json = jsonencode({
    slack_workspace = { value = var.slack_integration }
    channel         = { value = "#feedback" }
    text            = { value = provider::posthog::response_template(posthog_survey.feedback.questions[0]) }
  })
}
