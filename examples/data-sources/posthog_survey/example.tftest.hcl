mock_provider "posthog" {
  mock_data "posthog_survey" {
    defaults = {
      # OpenTofu asks for every attribute of a mocked object.
      internal_targeting_flag = {
        id                           = 1
        key                          = "survey-targeting-nps"
        name                         = "Targeting flag of the survey"
        active                       = true
        deleted                      = false
        ensure_experience_continuity = false
        filters                      = "{}"
        team_id                      = 12345
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
