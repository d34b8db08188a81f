terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}

provider "posthog" {
  # The API key is best left to the environment: POSTHOG_API_KEY.
  base_url        = "https://eu.posthog.com"
  project_id      = "12345"
  organization_id = "0190a1f0-3f5b-7c41-9d2e-6a1b8c0d4e5f"

  # Leave room for others that use the same key.
  requests_per_minute = 240
}
