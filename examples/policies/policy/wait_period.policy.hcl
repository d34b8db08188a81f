# Nobody is asked twice in a short time.
# A pop-up that runs waits for some days after another survey was seen.
policy {
  required_providers {
    posthog = {
      source  = "surveys-as-code/posthog"
      version = ">= 0.1.0"
    }
  }
}

input "wait_period_days" {
  type        = number
  description = "The least number of days between two surveys that one person sees."
  default     = 30
}

resource_policy "posthog_survey" "wait_period" {
  filter = core::try(attrs.status, "") == "running" && core::try(attrs.type, "") == "popover"

  enforce {
    condition     = core::try(core::jsondecode(attrs.conditions).seenSurveyWaitPeriodInDays >= input.wait_period_days, false)
    error_message = "The survey may follow another one within ${input.wait_period_days} days: set seenSurveyWaitPeriodInDays in conditions."
  }
}
