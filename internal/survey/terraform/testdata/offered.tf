variable "plan" {
  type = string
}

resource "posthog_survey" "test" {
  name           = "Offered"
  type           = "popover"
  status         = "running"
  linked_flag_id = 5
  conditions     = jsonencode({ linkedFlagVariant = "red" })

  questions = [{ type = "open", question = "Why?" }]

  targeting_flag_filters = jsonencode({
    groups = [{
      rollout_percentage = 100
      properties         = [{ key = "plan", type = "person", operator = "exact", value = [var.plan] }]
    }]
  })
}
