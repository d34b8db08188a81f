run "is_made_as_a_draft" {
  assert {
    condition     = posthog_survey.nps.start_date == null
    error_message = "A new survey must not be launched."
  }
}

run "is_launched_when_asked" {
  variables {
    launch = true
  }

  assert {
    condition     = posthog_survey.nps.start_date != null
    error_message = "The survey was not launched."
  }
}
