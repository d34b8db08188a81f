# Surveys that run are in code.
# Nobody reviews what a survey asks that was made in the web interface alone.
policy {
  required_providers {
    posthog = {
      source  = "surveys-as-code/posthog"
      version = ">= 0.1.0"
    }
  }
}

# A query shows a policy what terraform query -generate-config-out would write: names, and
# dates instead of a status, but no ids.
input "surveys_in_code" {
  type        = list(string)
  description = "Names of the surveys in code."
  default     = []
}

resource_policy "posthog_survey" "unmanaged" {
  filter = core::try(attrs.start_date, null) != null && core::try(attrs.end_date, null) == null && core::try(attrs.archived, false) != true

  enforce {
    condition     = core::contains(input.surveys_in_code, attrs.name)
    error_message = "${attrs.name} runs, and no code has a survey of this name: import it, or stop it."
  }
}
