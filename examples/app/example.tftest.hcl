mock_provider "posthog" {}

run "keeps_answers" {
  assert {
    condition     = posthog_survey.checkout.deletion_policy == "delete_unanswered"
    error_message = "A destroy must not delete answers."
  }
  assert {
    condition     = length(output.response_keys) == 2
    error_message = "Each question must have its property."
  }
}
