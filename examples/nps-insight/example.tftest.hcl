mock_provider "posthog" {}
mock_provider "official" {}

run "asks_for_the_answers_of_both" {
  assert {
    condition     = length(regexall("toInt", posthog_insight.nps.query_json)) == length(posthog_survey.nps)
    error_message = "The score of each survey must be read."
  }
}
