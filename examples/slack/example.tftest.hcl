mock_provider "posthog" {}
mock_provider "official" {}

run "sends_answers_of_the_survey_alone" {
  assert {
    condition     = jsondecode(posthog_hog_function.slack.filters_json).events[0].properties[0].value == posthog_survey.feedback.id
    error_message = "Only answers to this survey may be sent."
  }
}
