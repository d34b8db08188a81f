mock_provider "posthog" {
  mock_data "posthog_survey" {
    defaults = {
      id = "0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17"
    }
  }

  mock_data "posthog_survey_responses_count" {
    defaults = {
      counts = { "0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17" = 100 }
    }
  }
}

run "launches_the_follow_up" {
  command = plan

  assert {
    condition     = output.responses == 100
    error_message = "The output must be the number of responses."
  }
}

run "waits_for_responses" {
  command = plan

  override_data {
    target = data.posthog_survey_responses_count.all
    values = {
      counts = { "0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17" = 99 }
    }
  }

  expect_failures = [posthog_survey.follow_up]
}
