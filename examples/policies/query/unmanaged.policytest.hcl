policytest {
  targets = ["unmanaged.policy.hcl"]
}

inputs {
  surveys_in_code = ["Relationship NPS"]
}

resource "posthog_survey" "in_code" {
  attrs = { name = "Relationship NPS", start_date = "2026-01-01T00:00:00Z", end_date = null }
}

resource "posthog_survey" "by_hand" {
  expect_failure = true
  attrs          = { name = "Quick question", start_date = "2026-01-01T00:00:00Z", end_date = null }
}

resource "posthog_survey" "draft_by_hand" {
  attrs = { name = "Quick question", start_date = null, end_date = null }
}

resource "posthog_survey" "ended_by_hand" {
  attrs = { name = "Quick question", start_date = "2026-01-01T00:00:00Z", end_date = "2026-02-01T00:00:00Z" }
}

resource "posthog_survey" "archived_by_hand" {
  attrs = { name = "Quick question", start_date = "2026-01-01T00:00:00Z", end_date = null, archived = true }
}
