mock_provider "posthog" {}

run "takes_the_questions_once_they_are_known" {
  assert {
    condition     = [for question in posthog_survey.unknown.questions : question.type] == ["open", "link"]
    error_message = "Both questions must arrive."
  }
}
