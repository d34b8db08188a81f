variable "repository_token" {
  type      = string
  ephemeral = true
}

resource "posthog_pipeline_import_app" "private" {
  name = "Tickets"
  url  = "https://github.com/acme/import-tickets"

  url_query_wo         = "private_token=${var.repository_token}"
  url_query_wo_version = 1

  capabilities = jsonencode({ scheduled_tasks = ["runEveryHour"] })
}
