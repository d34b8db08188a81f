policytest {
  targets = ["limit.policy.hcl"]
}

resource "posthog_survey" "with_limit" {
  attrs = { status = "running", responses_limit = 500, iteration_count = null }
}

resource "posthog_survey" "with_iterations" {
  attrs = { status = "running", responses_limit = null, iteration_count = 4 }
}

resource "posthog_survey" "without_either" {
  expect_failure = true
  attrs          = { status = "running", responses_limit = null, iteration_count = null }
}

resource "posthog_survey" "with_a_limit_of_nothing" {
  expect_failure = true
  attrs          = { status = "running", responses_limit = 0 }
}

resource "posthog_survey" "unchanged" {
  expect_failure = true
  meta           = { operation = "no-op" }
  attrs          = { status = "running" }
}

resource "posthog_survey" "draft" {
  attrs = { status = "draft", responses_limit = null }
}
