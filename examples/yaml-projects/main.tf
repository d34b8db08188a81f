# The surveys of several projects, from one file: whoever adds a survey edits projects.yaml alone.
terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}

provider "posthog" {}

locals {
  projects = yamldecode(file("${path.module}/projects.yaml")).projects

  surveys = merge([
    for project, surveys in local.projects : {
      for name, question in surveys : "${project}/${name}" => { project = project, name = name, question = question }
    }
  ]...)
}

resource "posthog_survey" "each" {
  for_each   = local.surveys
  project_id = each.value.project
  name       = each.value.name
  type       = "popover"

  # The function refuses what YAML reads as a number or as a boolean in the place of a text.
  questions = provider::posthog::questions([
    { type = "rating", question = each.value.question, display = "number", scale = 10 },
  ])
}
