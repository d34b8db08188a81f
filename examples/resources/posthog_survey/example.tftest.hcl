# Without a service: what the configuration asks for.
mock_provider "posthog" {}

run "asks_three_questions" {
  command = plan

  assert {
    condition     = [for question in posthog_survey.nps.questions : question.type] == ["rating", "open", "multiple_choice"]
    error_message = "The survey asks for a score, a reason and what would help."
  }

  assert {
    condition     = jsondecode(posthog_survey.nps.conditions).seenSurveyWaitPeriodInDays >= 30
    error_message = "People are asked at most once in a month."
  }
}
