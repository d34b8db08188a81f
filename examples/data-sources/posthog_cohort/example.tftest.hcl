mock_provider "posthog" {
  mock_data "posthog_cohort" {
    defaults = {
      name = "Beta testers"
    }
  }
}

run "asks_the_testers" {
  assert {
    condition     = output.asked == "Beta testers"
    error_message = "The output must be the name of the cohort."
  }
}
