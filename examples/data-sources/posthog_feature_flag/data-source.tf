data "posthog_feature_flag" "checkout" {
  key = "new-checkout"
}

# Shown to people for whom the flag is on.
resource "posthog_survey" "checkout" {
  name           = "New checkout"
  type           = "popover"
  linked_flag_id = data.posthog_feature_flag.checkout.id

  questions = [
    { type = "open", question = "What do you think of the new checkout?" },
  ]
}

output "linked_flag" {
  value = posthog_survey.checkout.linked_flag_id
}
