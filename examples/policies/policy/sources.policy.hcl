# Import apps come from trusted places.
# They run with access to the events of the organization.
policy {
  required_providers {
    posthog = {
      source  = "surveys-as-code/posthog"
      version = ">= 0.1.0"
    }
  }
}

input "trusted_sources" {
  type        = list(string)
  description = "Where the code of import apps may come from."
  default     = ["https://github.com/acme/"]
}

resource_policy "posthog_pipeline_import_app" "sources" {
  filter = core::try(attrs.url, null) != null

  enforce {
    condition     = core::length([for source in input.trusted_sources : source if core::startswith(attrs.url, source)]) > 0
    error_message = "The app takes its code from ${attrs.url}, which is not among the trusted sources."
  }
}
