locals {
  # As the browser shows it.
  nps = provider::posthog::parse_survey_id("https://us.posthog.com/project/12345/surveys/0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17")
}

# Also as the id of an import block: id = local.nps.import_id
output "import_id" {
  value = local.nps.import_id
}

output "project" {
  value = local.nps.project_id
}
