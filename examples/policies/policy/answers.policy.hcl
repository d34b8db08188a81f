# Questions of a running survey keep their answers.
# A question whose id is gone has its answers cut off.
policy {
  required_providers {
    posthog = {
      source  = "surveys-as-code/posthog"
      version = ">= 0.1.0"
    }
  }
}

resource_policy "posthog_survey" "answers" {
  operations = ["update"]
  filter     = core::try(prior_attrs.status, "") == "running"

  locals {
    before = prior_attrs.questions != null ? [for question in prior_attrs.questions : { id = question.id, type = question.type, text = question.question }] : []

    # The id of a new question is known only after the apply, and its type before: a question
    # keeps its id under its type alone.
    types = attrs.questions != null ? [for question in attrs.questions : question.type] : []
    fewer = [
      for type in core::distinct([for question in local.before : question.type]) : type
      if core::length([for one in local.types : 1 if one == type]) < core::length([for question in local.before : 1 if question.type == type])
    ]

    ids     = attrs.questions != null ? [for question in attrs.questions : question.id] : []
    cut_off = [for question in local.before : question.text if question.id != null && !core::contains(local.ids, question.id)]
  }

  enforce {
    condition     = core::length(local.fewer) == 0
    error_message = "Questions would be removed or retyped while the survey runs, and their answers cut off. Types: ${core::join(", ", local.fewer)}."
  }

  enforce {
    condition     = core::length(local.cut_off) == 0
    error_message = "Answers would be cut off while the survey runs, those to: ${core::join(", ", local.cut_off)}"
  }
}
