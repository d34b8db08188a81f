mock_provider "posthog" {
  mock_resource "posthog_survey" {}
}

run "reads_the_property" {
  assert {
    condition     = startswith(output.message, "New answer: {event.properties['$survey_response_")
    error_message = "The message must have the answer to the second question."
  }
}
