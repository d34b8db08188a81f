variable "description" {
  default = "before"
}

resource "posthog_survey" "test" {
  name        = "Five questions"
  description = var.description
  type        = "popover"
  questions = [
    { type = "open", question = "One?" },
    { type = "open", question = "Two?" },
    { type = "rating", question = "Three?", display = "number", scale = 10 },
    { type = "single_choice", question = "Which four?", choices = ["a", "b"] },
    { type = "link", question = "Five", link = "https://example.com" },
  ]
}
