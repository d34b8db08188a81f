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

resource "posthog_survey" "nps" {
  name        = "Customer NPS"
  description = "Once a quarter"
  type        = "popover"

  questions = [
    {
      type     = "rating"
      question = "How likely are you to recommend us?"
      display  = "number"
      scale    = 10
      branching = {
        type            = "response_based"
        response_values = { detractors = 1, passives = "end", promoters = "end" }
      }
    },
    {
      type     = "open"
      question = "What can we do better?"
      optional = true
    },
  ]

  conditions = jsonencode({
    url          = "/account"
    urlMatchType = "icontains"
  })

  targeting_flag_filters = jsonencode({
    groups = [{
      properties         = [{ key = "plan", type = "person", value = ["pro"], operator = "exact" }]
      rollout_percentage = 50
    }]
  })
}
