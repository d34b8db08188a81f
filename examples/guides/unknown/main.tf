# The value of this resource is unknown until it is applied.
resource "terraform_data" "questions" {
  input = [
    { type = "open", question = "Why?" },
    { type = "link", question = "Read more", link = "https://example.com" },
  ]
}

resource "posthog_survey" "unknown" {
  name = "Questions from elsewhere"
  type = "popover"

  # Without the for expression, Terraform rejects an unknown list of different questions
  # ("incorrect list element type").
  questions = [for q in terraform_data.questions.output : q]
}
