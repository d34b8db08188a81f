data "posthog_surveys_activity" "recent" {
  limit = 50
}

# Surveys that were deleted lately, and by whom.
output "deleted" {
  value = [
    for entry in coalesce(data.posthog_surveys_activity.recent.entries, []) :
    { survey = entry.name, by = entry.user, at = entry.at } if entry.activity == "deleted"
  ]
}
