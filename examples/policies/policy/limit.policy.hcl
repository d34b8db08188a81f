# A running survey has a limit or an end.
# A survey without either asks until somebody remembers it.
policy {
  required_providers {
    posthog = {
      source  = "surveys-as-code/posthog"
      version = ">= 0.1.0"
    }
  }
}

resource_policy "posthog_survey" "limit" {
  filter = core::try(attrs.status, "") == "running"

  enforce {
    condition     = core::try(attrs.responses_limit > 0, false) || core::try(attrs.iteration_count > 0, false)
    error_message = "The survey runs without an end: set responses_limit, or iteration_count."
  }
}
