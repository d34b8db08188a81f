mock_provider "posthog" {
  mock_data "posthog_survey" {
    defaults = {
      id = "0190d6a4-7e1c-7b52-a3f0-000000000001"
    }
  }

  mock_data "posthog_survey_responses_count" {
    defaults = {
      counts = { "0190d6a4-7e1c-7b52-a3f0-000000000001" = 9999 }
    }
  }
}

run "lets_the_tab_run" {
  assert {
    condition     = output.responses == 9999
    error_message = "The output must be the number of responses."
  }
}

run "asks_to_stop_it" {
  command = plan

  override_data {
    target = data.posthog_survey_responses_count.all
    values = {
      counts = { "0190d6a4-7e1c-7b52-a3f0-000000000001" = 10000 }
    }
  }

  expect_failures = [data.posthog_survey.feedback]
}
