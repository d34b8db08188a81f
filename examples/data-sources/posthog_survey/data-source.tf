# By name, which is unique in a project:
data "posthog_survey" "nps" {
  name = "Quarterly NPS"
}

# By id, in another project than that of the provider:
data "posthog_survey" "staging" {
  project_id = "67890"
  id         = "0190d6a4-7e1c-7b52-a3f0-000000000002"
}

# The key of the flag that code can ask for.
output "nps_flag" {
  value = data.posthog_survey.nps.internal_targeting_flag.key
}
