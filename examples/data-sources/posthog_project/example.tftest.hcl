mock_provider "posthog" {
  mock_data "posthog_project" {
    defaults = {
      name            = "Production"
      organization_id = "0190a1f0-3f5b-7c41-9d2e-6a1b8c0d4e5f"
      surveys_opt_in  = true
    }
  }
}

run "knows_the_organization" {
  assert {
    condition     = output.organization == "0190a1f0-3f5b-7c41-9d2e-6a1b8c0d4e5f"
    error_message = "The output must be the organization of the project."
  }
}
