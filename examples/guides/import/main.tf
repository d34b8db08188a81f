# Every survey of the project that is not archived comes under Terraform.
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

  # A survey that leaves the list is archived, not deleted.
  deletion_policy = "archive"
}
