mock_provider "posthog" {
  mock_resource "posthog_survey" {}
}

mock_provider "official" {}

run "sends_the_answers_to_the_webhook" {
  assert {
    condition     = posthog_project_settings.surveys.surveys_opt_in
    error_message = "The project must show surveys."
  }
  assert {
    condition     = jsondecode(posthog_survey.checkout.targeting_flag_filters).groups[0].properties[0].value == posthog_cohort.customers.id
    error_message = "The survey must ask the people of the cohort."
  }
  assert {
    condition     = posthog_survey.checkout.linked_flag_id == posthog_feature_flag.checkout.id
    error_message = "The survey must ask people who have the flag."
  }
  assert {
    condition = jsondecode(posthog_hog_function.answers.inputs_json).body.value == {
      score  = "{event.properties['${provider::posthog::response_key(posthog_survey.checkout.questions[0])}']}"
      reason = "{event.properties['${provider::posthog::response_key(posthog_survey.checkout.questions[1])}']}"
    }
    error_message = "The body must read the answers from the event."
  }
}
