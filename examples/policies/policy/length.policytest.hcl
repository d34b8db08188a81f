policytest {
  targets = ["length.policy.hcl"]
}

resource "posthog_survey" "three" {
  attrs = {
    questions = [
      { type = "open", question = "1?" },
      { type = "open", question = "2?", optional = false },
      { type = "open", question = "3?", optional = null },
      { type = "open", question = "4?", optional = true },
      { type = "link", question = "5?", link = "https://example.com" },
    ]
  }
}

resource "posthog_survey" "four" {
  expect_failure = true
  attrs = {
    questions = [
      { type = "open", question = "1?" },
      { type = "open", question = "2?", optional = false },
      { type = "open", question = "3?", optional = null },
      { type = "rating", question = "4?" },
    ]
  }
}

resource "posthog_survey" "none" {
  attrs = { type = "api", questions = null }
}

resource "posthog_survey" "none_allowed" {
  expect_failure = true
  attrs          = { questions = [{ type = "open", question = "1?" }] }

  inputs {
    max_required_questions = 0
  }
}
