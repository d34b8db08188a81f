mock_provider "posthog" {}

run "has_the_surveys_of_each_project" {
  command = plan
  assert {
    condition     = posthog_survey.each["12346/NPS"].project_id == "12346" && length(posthog_survey.each) == 3
    error_message = "Each survey must belong to its project."
  }
}
