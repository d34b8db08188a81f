data "posthog_cohort" "testers" {
  id = 3
}

# Asked of the people of the cohort alone. A cohort that is not there fails the plan.
resource "posthog_survey" "testers" {
  name = "Beta programme"
  type = "popover"

  questions = [
    { type = "open", question = "What should we build next?" },
  ]

  targeting_flag_filters = jsonencode({
    groups = [{
      properties         = [{ type = "cohort", key = "id", operator = "in", value = data.posthog_cohort.testers.id }]
      rollout_percentage = 100
    }]
  })
}

output "asked" {
  value = data.posthog_cohort.testers.name
}
