# Import every survey of the project that isn't archived.
data "posthog_surveys" "live" {
  project_id = "12345"
  archived   = false
}

locals {
  surveys = { for survey in data.posthog_surveys.live.surveys : survey.name => survey }
}

import {
  for_each = local.surveys
  to       = posthog_survey.imported[each.key]
  id       = "12345/${each.value.id}"
}

resource "posthog_survey" "imported" {
  for_each = local.surveys

  project_id = "12345"
  name       = each.value.name
  type       = each.value.type
  status     = each.value.status
  questions  = each.value.questions

  # If a survey leaves the list, archive it instead of deleting it.
  deletion_policy = "archive"
}
