mock_provider "posthog" {}

run "is_a_draft_before_its_date" {
  command = plan
  variables {
    starts = "2100-01-01T00:00:00Z"
    ends   = "2100-02-01T00:00:00Z"
  }
  assert {
    condition     = posthog_survey.winter.status == "draft"
    error_message = "The survey must not be shown before its date."
  }
}

run "runs_between_its_dates" {
  command = plan
  variables {
    starts = "2020-01-01T00:00:00Z"
    ends   = "2100-02-01T00:00:00Z"
  }
  assert {
    condition     = posthog_survey.winter.status == "running"
    error_message = "The survey must be shown between its dates."
  }
}
