mock_provider "posthog" {}

run "makes_a_survey_of_each_entry" {
  command = plan

  assert {
    condition     = keys(module.survey) == keys(yamldecode(file("surveys.yaml")))
    error_message = "Each entry of the file must become a survey."
  }
}
