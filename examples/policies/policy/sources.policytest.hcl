policytest {
  targets = ["sources.policy.hcl"]
}

resource "posthog_pipeline_import_app" "trusted" {
  attrs = { name = "Tickets", url = "https://github.com/acme/tickets" }
}

# The name of another owner begins alike.
resource "posthog_pipeline_import_app" "alike" {
  expect_failure = true
  attrs          = { name = "Tickets", url = "https://github.com/acme-copy/tickets" }
}

resource "posthog_pipeline_import_app" "without_url" {
  attrs = { name = "Tickets", url = null }
}

resource "posthog_pipeline_import_app" "second_source" {
  attrs = { name = "Tickets", url = "https://example.com/tickets" }

  inputs {
    trusted_sources = ["https://github.com/acme/", "https://example.com/"]
  }
}
