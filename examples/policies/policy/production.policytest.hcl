policytest {
  targets = ["production.policy.hcl"]
}

inputs {
  production_projects = ["12345", "23456"]
}

resource "posthog_survey" "created_in_production" {
  attrs = { status = "running", project_id = "23456" }
}

resource "posthog_survey" "created_elsewhere" {
  expect_failure = true
  attrs          = { status = "running", project_id = "67890" }
}

resource "posthog_survey" "draft_elsewhere" {
  attrs = { status = "draft", project_id = "67890" }
}

resource "posthog_survey" "launched_in_production" {
  prior_attrs = { status = "draft", project_id = "12345" }
  attrs       = { status = "running", project_id = "12345" }
}

resource "posthog_survey" "launched_elsewhere" {
  expect_failure = true
  prior_attrs    = { status = "draft", project_id = "67890" }
  attrs          = { status = "running", project_id = "67890" }
}

resource "posthog_survey" "edited_draft_elsewhere" {
  prior_attrs = { status = "draft", project_id = "67890" }
  attrs       = { status = "draft", project_id = "67890" }
}

# It runs already: this plan does not launch it.
resource "posthog_survey" "edited_elsewhere" {
  prior_attrs = { status = "running", project_id = "67890" }
  attrs       = { status = "running", project_id = "67890" }
}

resource "posthog_survey" "in_no_production_project" {
  expect_failure = true
  attrs          = { status = "running", project_id = "12345" }

  inputs {
    production_projects = []
  }
}
