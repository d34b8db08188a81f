resource "posthog_survey" "test" {
  name        = "Five questions"
  description = "after"
  type        = "popover"
  questions = [
    { type = "link", question = "Five", link = "https://example.com" },
    { type = "open", question = "New?" },
    { type = "open", question = "Two?" },
    { type = "single_choice", question = "Which four, edited?", choices = ["a", "b", "c"] },
    { type = "rating", question = "Three?", display = "emoji", scale = 5 },
  ]
}
