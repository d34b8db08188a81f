# An app that imports tickets from a help desk.
resource "posthog_pipeline_import_app" "tickets" {
  plugin_type = "local"
  name        = "Help desk tickets"
  description = "Imports the tickets of the help desk as events."
  url         = "file:/plugins/help-desk-tickets"
  icon        = "https://example.com/help-desk.svg"
  tag         = "1.4.0"

  config_schema = jsonencode([
    { key = "subdomain", name = "Subdomain", type = "string", required = true },
    { key = "token", name = "API token", type = "string", required = true, secret = true },
  ])

  capabilities = jsonencode({
    jobs            = ["importTickets"]
    scheduled_tasks = ["runEveryHour"]
    methods         = ["setupPlugin"]
  })

  metrics = jsonencode({
    imported_tickets = "sum"
  })

  public_jobs = jsonencode({
    importTickets = {
      payload = {
        since = { title = "Import tickets since", type = "date", required = true }
      }
    }
  })
}
