# A survey has few questions that cannot be skipped.
# Every one of them is a reason to close the survey.
policy {
  required_providers {
    posthog = {
      source  = "surveys-as-code/posthog"
      version = ">= 0.1.0"
    }
  }
}

input "max_required_questions" {
  type        = number
  description = "Questions of one survey that a person cannot skip."
  default     = 3
}

resource_policy "posthog_survey" "length" {
  locals {
    # No try around all of it: ids of new questions are not known yet, and so its result would
    # not be, either.
    required = attrs.questions != null ? core::length([for question in attrs.questions : 1 if question.type != "link" && core::try(question.optional, false) != true]) : 0
  }

  enforce {
    condition     = local.required <= input.max_required_questions
    error_message = "The survey has ${local.required} questions that cannot be skipped, want at most ${input.max_required_questions}."
  }
}
