# Every survey of the project of the provider:
data "posthog_surveys" "all" {}

# Widgets that are still in use:
data "posthog_surveys" "widgets" {
  type     = "widget"
  archived = false
}

output "running" {
  value = [for survey in data.posthog_surveys.all.surveys : survey.name if survey.status == "running"]
}
