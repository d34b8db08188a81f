data "posthog_surveys" "staging" {
  project_id = "67890"
}

# Copies start as drafts. Ids of questions are left out, so that the copies get their
# own, and what refers to flags and actions of the other project is not copied.
resource "posthog_survey" "production" {
  for_each = { for survey in data.posthog_surveys.staging.surveys : survey.name => survey }

  project_id  = "12345"
  name        = "${each.value.name} (copy)"
  type        = each.value.type
  description = each.value.description
  appearance  = each.value.appearance
  questions = each.value.questions == null ? null : [
    for question in each.value.questions : merge(question, { id = null })
  ]

  # The copy of a survey that is deleted or renamed in staging is archived, not deleted.
  deletion_policy = "archive"
}
