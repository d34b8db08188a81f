policytest {
  targets = ["answers.policy.hcl"]
}

resource "posthog_survey" "reworded" {
  prior_attrs = { status = "running", questions = [{ id = "q1", type = "open", question = "Why?" }] }
  attrs       = { status = "running", questions = [{ id = "q1", type = "open", question = "Why not?" }] }
}

resource "posthog_survey" "one_more" {
  prior_attrs = { status = "running", questions = [{ id = "q1", type = "open", question = "Why?" }] }
  attrs       = { status = "running", questions = [{ id = "q2", type = "open", question = "Who?" }, { id = "q1", type = "open", question = "Why?" }] }
}

resource "posthog_survey" "removed" {
  expect_failure = true
  prior_attrs    = { status = "running", questions = [{ id = "q1", type = "open", question = "Why?" }, { id = "q2", type = "rating", question = "How?" }] }
  attrs          = { status = "running", questions = [{ id = "q2", type = "rating", question = "How?" }] }
}

resource "posthog_survey" "all_removed" {
  expect_failure = true
  prior_attrs    = { status = "running", questions = [{ id = "q1", type = "open", question = "Why?" }] }
  attrs          = { status = "running", questions = null }
}

# The types are as before, and the ids are not.
resource "posthog_survey" "anew" {
  expect_failure = true
  prior_attrs    = { status = "running", questions = [{ id = "q1", type = "open", question = "Why?" }] }
  attrs          = { status = "running", questions = [{ id = "q2", type = "open", question = "Why?" }] }
}

# The ids are as before, and the types are not.
resource "posthog_survey" "retyped" {
  expect_failure = true
  prior_attrs    = { status = "running", questions = [{ id = "q1", type = "open", question = "Why?" }] }
  attrs          = { status = "running", questions = [{ id = "q1", type = "rating", question = "Why?" }] }
}

# A question without an id has no answers under it.
resource "posthog_survey" "without_ids" {
  prior_attrs = { status = "running", questions = [{ id = null, type = "open", question = "Why?" }] }
  attrs       = { status = "running", questions = [{ id = "q1", type = "open", question = "Why?" }] }
}

resource "posthog_survey" "draft" {
  prior_attrs = { status = "draft", questions = [{ id = "q1", type = "open", question = "Why?" }] }
  attrs       = { status = "draft", questions = [{ id = "q2", type = "rating", question = "How?" }] }
}
