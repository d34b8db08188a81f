mock_provider "posthog" {
  mock_data "posthog_survey" {
    defaults = {
      internal_targeting_flag = {
        key = "survey-targeting-nps"
      }
    }
  }
}

run "puts_out_the_key_of_the_flag" {
  assert {
    condition     = output.nps_flag == "survey-targeting-nps"
    error_message = "The output must be the key of the survey's own flag."
  }
}
