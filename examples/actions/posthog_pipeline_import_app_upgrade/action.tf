# terraform apply -invoke=action.posthog_pipeline_import_app_upgrade.tickets
action "posthog_pipeline_import_app_upgrade" "tickets" {
  config {
    app_id = 17
  }
}
