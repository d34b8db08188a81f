variable "launch" {
  type    = bool
  default = false
}

resource "posthog_survey" "nps" {
  name   = "Onboarding"
  type   = "popover"
  status = var.launch ? "running" : "draft"

  questions = [
    {
      type     = "rating"
      question = "How easy was the start?"
      display  = "number"
      scale    = 10
    },
  ]
}
