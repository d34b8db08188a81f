policytest {
  targets = ["translations.policy.hcl"]
}

resource "posthog_survey" "in_one_language" {
  attrs = {
    questions = [{ type = "open", question = "Why?" }, { type = "single_choice", question = "Which?", choices = ["A", "B"] }]
  }
}

resource "posthog_survey" "without_questions" {
  attrs = { type = "api", questions = null }
}

resource "posthog_survey" "in_two_languages" {
  attrs = {
    questions = [
      { type = "open", question = "Why?", translations = "{\"de\": {\"question\": \"Warum?\"}}" },
      { type = "single_choice", question = "Which?", choices = ["A", "B"], translations = "{\"de\": {\"question\": \"Welche?\", \"choices\": [\"A\", \"B\"]}}" },
    ]
  }
}

resource "posthog_survey" "lacks_a_question" {
  expect_failure = true
  attrs = {
    questions = [
      { type = "open", question = "Why?", translations = "{\"de\": {\"question\": \"Warum?\"}}" },
      { type = "open", question = "Who?", translations = null },
    ]
  }
}

resource "posthog_survey" "has_an_empty_question" {
  expect_failure = true
  attrs = {
    questions = [
      { type = "open", question = "Why?", translations = "{\"de\": {\"question\": \"Warum?\"}}" },
      { type = "open", question = "Who?", translations = "{\"de\": {\"question\": \"\"}}" },
    ]
  }
}

resource "posthog_survey" "lacks_a_choice" {
  expect_failure = true
  attrs = {
    questions = [
      { type = "single_choice", question = "Which?", choices = ["A", "B"], translations = "{\"de\": {\"question\": \"Welche?\", \"choices\": [\"A\"]}}" },
    ]
  }
}

resource "posthog_survey" "lacks_all_choices" {
  expect_failure = true
  attrs = {
    questions = [
      { type = "single_choice", question = "Which?", choices = ["A", "B"], translations = "{\"de\": {\"question\": \"Welche?\"}}" },
    ]
  }
}

# The language of the survey's own texts is one, too.
resource "posthog_survey" "lacks_questions" {
  expect_failure = true
  attrs = {
    translations = "{\"de\": {\"thankYouMessageHeader\": \"Danke!\"}}"
    questions    = [{ type = "open", question = "Why?" }]
  }
}
