terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}

variable "alias" {
  type    = bool
  default = false
}

# The environment allows project 1.
provider "posthog" {}

provider "posthog" {
  alias               = "production"
  project_id          = "2"
  allowed_project_ids = [2]
}

# Known only after apply.
resource "terraform_data" "project" {
  input = "2"
}

resource "posthog_survey" "unknown" {
  count      = var.alias ? 0 : 1
  project_id = terraform_data.project.output
  name       = "NPS"
  type       = "api"
}

resource "posthog_survey" "alias" {
  count      = var.alias ? 1 : 0
  provider   = posthog.production
  project_id = "1"
  name       = "NPS"
  type       = "api"
}
