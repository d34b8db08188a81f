terraform {
  required_providers {
    posthog = { source = "surveys-as-code/posthog" }
  }
}
variable "status" {
  default = "draft"
}

variable "archived" {
  default = false
}

variable "percentage" {
  default = 10
}

variable "url" {
  default = "/a"
}

resource "posthog_survey" "s" {
  name                   = "Eight"
  type                   = "popover"
  status                 = var.status
  archived               = var.archived
  targeting_flag_filters = jsonencode({ groups = [{ rollout_percentage = var.percentage, properties = [{ key = "email", type = "person", operator = "icontains", value = "@example.com" }] }] })
  conditions             = jsonencode({ url = var.url, urlMatchType = "icontains" })
  appearance             = jsonencode({ position = "right", backgroundColor = "#fff" })
  questions = [
    { type = "open", question = "Question number 0?" },
    { type = "rating", question = "Question number 1?", display = "number", scale = 10, lower_bound_label = "bad", upper_bound_label = "good", branching = { type = "response_based", response_values = { "detractors" = "5", "promoters" = "end" } } },
    { type = "single_choice", question = "Question number 2?", choices = ["a", "b", "c"] },
    { type = "multiple_choice", question = "Question number 3?", choices = ["a", "b", "c"] },
    { type = "link", question = "Question number 4?", link = "https://example.com" },
    { type = "open", question = "Question number 5?" },
    { type = "rating", question = "Question number 6?", display = "number", scale = 10, lower_bound_label = "bad", upper_bound_label = "good" },
    { type = "single_choice", question = "Question number 7?", choices = ["a", "b", "c"] },
  ]
}
