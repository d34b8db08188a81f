policytest {
  targets = ["wait_period.policy.hcl"]
}

resource "posthog_survey" "long_enough" {
  attrs = { status = "running", type = "popover", conditions = "{\"seenSurveyWaitPeriodInDays\": 30}" }
}

resource "posthog_survey" "too_short" {
  expect_failure = true
  attrs          = { status = "running", type = "popover", conditions = "{\"seenSurveyWaitPeriodInDays\": 29}" }
}

resource "posthog_survey" "of_nothing" {
  expect_failure = true
  attrs          = { status = "running", type = "popover", conditions = "{\"seenSurveyWaitPeriodInDays\": null}" }
}

resource "posthog_survey" "not_set" {
  expect_failure = true
  attrs          = { status = "running", type = "popover", conditions = "{\"url\": \"/pricing\"}" }
}

resource "posthog_survey" "without_conditions" {
  expect_failure = true
  attrs          = { status = "running", type = "popover", conditions = null }
}

resource "posthog_survey" "widget" {
  attrs = { status = "running", type = "widget", conditions = null }
}

resource "posthog_survey" "draft" {
  attrs = { status = "draft", type = "popover", conditions = null }
}

resource "posthog_survey" "shorter_is_enough" {
  attrs = { status = "running", type = "popover", conditions = "{\"seenSurveyWaitPeriodInDays\": 7}" }

  inputs {
    wait_period_days = 7
  }
}
