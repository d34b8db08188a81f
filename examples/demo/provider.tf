terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}

# Where the service is and how to log in comes from the environment:
# POSTHOG_BASE_URL, POSTHOG_API_KEY, POSTHOG_PROJECT_ID, POSTHOG_ORGANIZATION_ID.
provider "posthog" {}
