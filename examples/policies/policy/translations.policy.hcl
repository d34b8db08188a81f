# Translations are complete.
# A language that one question has, every question has, with all choices.
policy {
  required_providers {
    posthog = {
      source  = "surveys-as-code/posthog"
      version = ">= 0.1.0"
    }
  }
}

resource_policy "posthog_survey" "translations" {
  locals {
    # Choices are counted, -1 for no list of them. Texts are by language.
    questions = core::try([
      for question in attrs.questions : {
        choices = core::try(core::length(question.choices), -1)
        texts   = core::try(core::jsondecode(question.translations), {})
      }
    ], [])

    # Languages are those of any question, and of the survey's own texts.
    languages = core::distinct(core::flatten([
      core::try(core::keys(core::jsondecode(attrs.translations)), []),
      [for question in local.questions : core::try(core::keys(question.texts), [])],
    ]))

    missing = core::flatten([
      for i, question in local.questions : [
        for language in local.languages : "questions[${i}] has no text in ${language}"
        if core::try(question.texts[language].question, "") == ""
      ]
    ])

    incomplete = core::flatten([
      for i, question in local.questions : [
        for language in local.languages : "questions[${i}] has ${question.choices} choices, and another number in ${language}"
        if core::try(core::length(question.texts[language].choices), 0) != question.choices
      ]
      if question.choices != -1
    ])
  }

  enforce {
    condition     = core::length(local.missing) == 0
    error_message = "The translations lack questions: ${core::join(", ", local.missing)}."
  }

  enforce {
    condition     = core::length(local.incomplete) == 0
    error_message = "The translations lack choices: ${core::join(", ", local.incomplete)}."
  }
}
