resource "posthog_survey" "this" {
  name = "Upgrades"
  type = "popover"

  questions = [{ type = "open", question = "Why did you upgrade?" }]

  targeting_flag_filters = jsonencode({
    groups = [{
      properties         = [{ key = "plan", type = "person", value = ["pro"], operator = "exact" }]
      rollout_percentage = 80
    }]
  })
}
