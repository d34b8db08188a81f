# terraform apply -invoke=action.posthog_pipeline_import_app_update_source.tickets
action "posthog_pipeline_import_app_update_source" "tickets" {
  config {
    app_id = 17

    source = {
      "plugin.json" = jsonencode({ name = "Help desk tickets" })
      "index.ts"    = <<-EOT
        export async function runEveryHour() {}
      EOT
    }
  }
}
