mock_provider "posthog" {
  mock_resource "posthog_survey" {}
}

run "hands_the_keys_on" {
  assert {
    condition     = startswith(output.survey_keys.properties["What disappointed you?"], "$survey_response_")
    error_message = "The output must have the property of each question."
  }
  assert {
    condition     = strcontains(output.webhook_body, "{event.properties['$survey_response_")
    error_message = "The body must read the answers from the event."
  }
}
