terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}

# Customers of the plan "pro" are asked; deletion_policy keeps their answers.
resource "posthog_survey" "checkout" {
  name            = "Checkout"
  type            = "popover"
  status          = "running"
  deletion_policy = "delete_unanswered"

  questions = [
    {
      type              = "rating"
      question          = "How easy was it to pay?"
      display           = "number"
      scale             = 5
      lower_bound_label = "Hard"
      upper_bound_label = "Easy"
    },
    { type = "open", question = "What would have made it easier?", optional = true },
  ]

  targeting_flag_filters = jsonencode({
    groups = [{
      properties         = [{ key = "plan", type = "person", operator = "exact", value = ["pro"] }]
      rollout_percentage = 100
    }]
  })
}

output "survey_id" {
  value = posthog_survey.checkout.id
}

# The properties of an answer's event, one for each question.
output "response_keys" {
  value = [for question in posthog_survey.checkout.questions : provider::posthog::response_key(question)]
}
