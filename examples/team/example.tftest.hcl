mock_provider "posthog" {}

variables {
  project_id = "67890"
  launch     = false
}

run "stays_a_draft_in_staging" {
  command = plan

  assert {
    condition     = posthog_survey.nps.status == "draft"
    error_message = "Only production may launch."
  }
}

run "is_launched_in_production" {
  command = plan

  variables {
    project_id = "12345"
    launch     = true
  }

  assert {
    condition     = posthog_survey.nps.status == "running"
    error_message = "Production must launch."
  }
}
