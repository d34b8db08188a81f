locals {
  # Questions as the product team writes them, in a file of their own.
  questions = [
    { type = "rating", question = "How easy was it to set up your first dashboard?", scale = 5, display = "emoji" },
    { type = "open", question = "What was missing?", optional = true },
  ]
}

# Without the function, Terraform would drop a misspelt key of a question, such as
# "dislpay", without a warning.
resource "posthog_survey" "onboarding" {
  name      = "Onboarding"
  type      = "popover"
  questions = [for question in local.questions : provider::posthog::question(question)]
}
