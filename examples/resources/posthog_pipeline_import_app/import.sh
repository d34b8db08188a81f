# An import app is imported by its id, in the organization of the provider block:
terraform import posthog_pipeline_import_app.tickets 17

# An app of another organization, by the id of the organization and its own:
terraform import posthog_pipeline_import_app.tickets 0190a1f0-3f5b-7c41-9d2e-6a1b8c0d4e5f/17
