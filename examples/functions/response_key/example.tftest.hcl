mock_provider "posthog" {
  mock_resource "posthog_survey" {}
}

run "names_the_property" {
  assert {
    condition     = startswith(output.property, "$survey_response_")
    error_message = "The property must be that of the first question."
  }
}
