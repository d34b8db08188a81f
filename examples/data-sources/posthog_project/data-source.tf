# The project of the provider.
data "posthog_project" "this" {}

check "surveys_are_shown" {
  assert {
    condition     = data.posthog_project.this.surveys_opt_in
    error_message = "Project ${data.posthog_project.this.name} shows no surveys: switch them on in its settings."
  }
}

output "organization" {
  value = data.posthog_project.this.organization_id
}
