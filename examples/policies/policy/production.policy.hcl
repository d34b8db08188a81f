# Surveys are launched in the production project alone.
# Elsewhere they are drafts, which people try in the preview.
policy {
  required_providers {
    posthog = {
      source  = "surveys-as-code/posthog"
      version = ">= 0.1.0"
    }
  }
}

input "production_projects" {
  type        = list(string)
  description = "Projects in which surveys may be launched."
  default     = ["12345"]
}

locals {
  wanted = "Surveys are launched in these projects alone: ${core::join(", ", input.production_projects)}."
}

resource_policy "posthog_survey" "created" {
  operations = ["create"]
  filter     = core::try(attrs.status, "") == "running"

  enforce {
    condition     = core::try(core::contains(input.production_projects, attrs.project_id), false)
    error_message = local.wanted
  }
}

# A survey that runs already is not launched.
resource_policy "posthog_survey" "launched" {
  operations = ["update"]
  filter     = core::try(attrs.status, "") == "running" && core::try(prior_attrs.status, "") != "running"

  enforce {
    condition     = core::try(core::contains(input.production_projects, attrs.project_id), false)
    error_message = local.wanted
  }
}
