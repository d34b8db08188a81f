# Launches a survey on one date and stops it on another. The service has no schedule, so each apply
# looks at the clock: github/apply.yml applies every morning.
terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}

provider "posthog" {
  project_id = "12345"
}

variable "starts" {
  description = "From when on the survey is shown."
  type        = string
  default     = "2027-01-11T06:00:00Z"
}

variable "ends" {
  description = "From when on it is not."
  type        = string
  default     = "2027-02-01T06:00:00Z"
}

locals {
  has_begun = timecmp(plantimestamp(), var.starts) >= 0
  is_over   = timecmp(plantimestamp(), var.ends) >= 0
}

resource "posthog_survey" "winter" {
  name   = "Winter sale"
  type   = "popover"
  status = local.is_over ? "completed" : local.has_begun ? "running" : "draft"

  questions = [
    { type = "rating", question = "Did you find what you were looking for?", display = "emoji", scale = 3 },
    { type = "open", question = "What was missing?", optional = true },
  ]
}
