data "posthog_surveys" "all" {}

data "posthog_surveys" "archived" {
  archived = true
}

data "posthog_surveys" "widgets" {
  type = "widget"
}

data "posthog_surveys" "named" {
  name = "Survey 007"
}

data "posthog_survey" "by_name" {
  name = "Survey 007"
}

data "posthog_survey" "by_id" {
  id = data.posthog_survey.by_name.id
}

output "all" {
  value = length(data.posthog_surveys.all.surveys)
}

output "archived" {
  value = length(data.posthog_surveys.archived.surveys)
}

output "widgets" {
  value = length(data.posthog_surveys.widgets.surveys)
}

output "named" {
  value = data.posthog_surveys.named.surveys[*].name
}

output "same" {
  value = data.posthog_survey.by_id.questions[0].question
}
