variable "last" {
  type = string
}

resource "posthog_survey" "nps" {
  name = "Quarterly NPS"
  type = "popover"

  questions = provider::posthog::questions([
    { name = "score", type = "rating", question = "How likely are you to recommend us?", display = "number", scale = 10 },
    { name = "reason", type = "open", question = "What disappointed you?" },
    { name = "last", type = "open", question = var.last },
  ])
}

resource "posthog_survey" "plain" {
  name      = "Plain"
  type      = "popover"
  questions = [{ type = "open", question = "Why?" }]
}
