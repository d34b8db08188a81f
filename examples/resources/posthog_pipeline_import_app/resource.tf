resource "posthog_pipeline_import_app" "tickets" {
  plugin_type = "source"
  name        = "Help desk tickets"
  description = "Imports the tickets of the help desk as events."
  icon        = "https://example.com/help-desk.svg"
  tag         = "1.4.0"

  # What a person who installs the app is asked for.
  config_schema = jsonencode([
    { key = "subdomain", name = "Subdomain", type = "string", required = true },
    { key = "token", name = "API token", type = "string", required = true, secret = true },
  ])

  # The service shows only apps that import, that is apps with a scheduled task.
  capabilities = jsonencode({
    jobs            = ["importTickets"]
    scheduled_tasks = ["runEveryHour"]
    methods         = ["setupPlugin"]
  })

  metrics = jsonencode({
    imported_tickets = "sum"
  })

  # Jobs that a person can start by hand.
  public_jobs = jsonencode({
    importTickets = {
      payload = {
        since = { title = "Import tickets since", type = "date", required = true }
      }
    }
  })
}
