# One look for all surveys: each has it, and adds what is its own.
terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}

provider "posthog" {
  project_id = "12345"
}

locals {
  look = {
    backgroundColor        = "#ffffff"
    borderColor            = "#d0d7de"
    submitButtonColor      = "#0b5fff"
    submitButtonText       = "Send"
    ratingButtonColor      = "#eaf1ff"
    fontFamily             = "inherit"
    position               = "right"
    displayThankYouMessage = true
    thankYouMessageHeader  = "Thank you"
  }
}

resource "posthog_survey" "nps" {
  name       = "NPS"
  type       = "popover"
  questions  = [{ type = "rating", question = "How likely are you to recommend us?", display = "number", scale = 10 }]
  appearance = jsonencode(local.look)
}

resource "posthog_survey" "bug" {
  name      = "Report a bug"
  type      = "widget"
  questions = [{ type = "open", question = "What went wrong?" }]

  appearance = jsonencode(merge(local.look, {
    widgetType            = "tab"
    widgetLabel           = "Bug?"
    thankYouMessageHeader = "We are on it"
  }))
}
