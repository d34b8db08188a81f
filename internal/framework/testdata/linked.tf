data "posthog_feature_flag" "checkout" {
  key = "beta-checkout"
}

data "posthog_cohort" "testers" {
  id = 3
}

data "posthog_project" "this" {}

resource "posthog_survey" "beta" {
  name           = "Beta"
  type           = "popover"
  linked_flag_id = data.posthog_feature_flag.checkout.id

  questions = [{ type = "open", question = "How is the new checkout?" }]

  targeting_flag_filters = jsonencode({
    groups = [{
      properties         = [{ type = "cohort", key = "id", operator = "in", value = data.posthog_cohort.testers.id }]
      rollout_percentage = 100
    }]
  })
}

output "switched_on" {
  value = data.posthog_project.this.surveys_opt_in
}
