policytest {
  targets = ["deletion.policy.hcl"]
}

resource "posthog_survey" "ran" {
  expect_failure = true
  prior_attrs    = { start_date = "2026-01-01T00:00:00Z", deletion_policy = "delete" }
}

resource "posthog_survey" "ran_and_says_nothing" {
  expect_failure = true
  meta           = { operation = "delete" }
  prior_attrs    = { start_date = "2026-01-01T00:00:00Z", deletion_policy = null }
}

resource "posthog_survey" "is_archived" {
  prior_attrs = { start_date = "2026-01-01T00:00:00Z", deletion_policy = "archive" }
}

# The provider itself refuses it while there are responses.
resource "posthog_survey" "is_deleted_unanswered" {
  prior_attrs = { start_date = "2026-01-01T00:00:00Z", deletion_policy = "delete_unanswered" }
}

resource "posthog_survey" "never_ran" {
  prior_attrs = { name = "Draft", start_date = null, deletion_policy = "delete" }
}
