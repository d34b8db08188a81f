data "posthog_surveys" "staging" {
  project_id = "67890"
}

# Copies start as drafts. Question IDs are omitted, so the copies get new ones. References
# to flags and actions of the other project aren't copied.
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

  # If a survey is deleted or renamed in staging, archive its copy instead of deleting it.
  deletion_policy = "archive"
}
