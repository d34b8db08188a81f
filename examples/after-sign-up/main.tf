# Asks people from the fourteenth day after they signed up. Apps set the property when somebody
# signs up: posthog.identify(id, {}, { signed_up_at: new Date().toISOString() }).
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

resource "posthog_survey" "settled" {
  name = "Two weeks in"
  type = "popover"

  questions = [
    { type = "rating", question = "How likely are you to recommend us?", display = "number", scale = 10 },
    { type = "open", question = "What almost made you leave?", optional = true },
  ]

  # A person enters on the fourteenth day and leaves on the thirtieth, asked or not.
  targeting_flag_filters = jsonencode({
    groups = [{
      rollout_percentage = 100
      properties = [
        { key = "signed_up_at", type = "person", operator = "is_date_before", value = "-14d" },
        { key = "signed_up_at", type = "person", operator = "is_date_after", value = "-30d" },
      ]
    }]
  })
}
