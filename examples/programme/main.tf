# A programme of surveys that asks nobody twice in a season. The wait counts whichever survey a
# person saw last, so each survey of the programme has it.
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
  days_of_a_season = 90

  surveys = {
    "Onboarding" = { page = "/welcome", question = "How easy was the start?" }
    "Search"     = { page = "/search", question = "How good were the results?" }
    "Billing"    = { page = "/billing", question = "How clear is your invoice?" }
  }
}

resource "posthog_survey" "programme" {
  for_each = local.surveys
  name     = each.key
  type     = "popover"

  questions = [
    { type = "rating", question = each.value.question, display = "number", scale = 5 },
    { type = "open", question = "What would you change?", optional = true },
  ]

  conditions = jsonencode({
    url                        = each.value.page
    urlMatchType               = "icontains"
    seenSurveyWaitPeriodInDays = local.days_of_a_season
  })
}
