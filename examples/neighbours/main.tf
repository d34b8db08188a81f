terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
    official = {
      source = "posthog/posthog"
    }
  }
}

provider "posthog" {
  project_id = "12345"
}

provider "official" {
  project_id = "12345"
}

variable "webhook_url" {
  description = "Where answers are sent to."
  type        = string
  default     = "https://hooks.example.com/survey-answers"
}

# Types of both providers begin with "posthog_", which stands for the local name posthog.
# Whatever the other provider manages names it.
resource "posthog_feature_flag" "checkout" {
  provider = official
  key      = "new-checkout"
  name     = "The new checkout"
  active   = true

  filters = jsonencode({
    groups = [{ properties = [], rollout_percentage = 50 }]
  })
}

# Apps show surveys only where the project has them switched on.
resource "posthog_project_settings" "surveys" {
  provider       = official
  surveys_opt_in = true
}

# By properties of people: a flag cannot decide about a cohort by what people did.
resource "posthog_cohort" "customers" {
  provider = official
  name     = "Paying customers"

  filters = jsonencode({
    properties = {
      type   = "AND"
      values = [{ type = "person", key = "plan", operator = "exact", value = ["pro", "team"] }]
    }
  })
}

# Asks customers who have the new checkout.
resource "posthog_survey" "checkout" {
  name           = "New checkout"
  type           = "popover"
  linked_flag_id = posthog_feature_flag.checkout.id

  targeting_flag_filters = jsonencode({
    groups = [{
      properties         = [{ type = "cohort", key = "id", operator = "in", value = posthog_cohort.customers.id }]
      rollout_percentage = 100
    }]
  })

  questions = [
    { type = "rating", question = "How easy was it to pay?", display = "number", scale = 5 },
    { type = "open", question = "What was difficult?", optional = true },
  ]
}

# Sends the answers to a webhook.
resource "posthog_hog_function" "answers" {
  provider    = official
  name        = "Answers of the survey on the new checkout"
  type        = "destination"
  template_id = "template-webhook"
  enabled     = true

  filters_json = jsonencode({
    source = "events"
    events = [{
      id   = "survey sent"
      type = "events"
      properties = [
        { key = "$survey_id", type = "event", operator = "exact", value = posthog_survey.checkout.id },
        {
          key      = provider::posthog::response_key(posthog_survey.checkout.questions[0])
          type     = "event"
          operator = "is_set"
          value    = "is_set"
        },
      ]
    }]
  })

  inputs_json = jsonencode({
    url    = { value = var.webhook_url }
    method = { value = "POST" }
    body = {
      value = {
        score  = provider::posthog::response_template(posthog_survey.checkout.questions[0])
        reason = provider::posthog::response_template(posthog_survey.checkout.questions[1])
      }
    }
  })
}
