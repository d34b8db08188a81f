data "posthog_surveys_activity" "recent" {
  limit = 50
}

output "deleted" {
  value = [
    for entry in coalesce(data.posthog_surveys_activity.recent.entries, []) :
    "${entry.name} by ${entry.user}" if entry.activity == "deleted"
  ]
}
