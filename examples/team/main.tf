# One state for a project, in a schema of its own of one PostgreSQL database. The address
# of the database comes from PG_CONN_STR, the schema from the file of the project:
#
#   terraform init -backend-config=production.tfbackend
#   terraform apply -lock-timeout=5m -var-file=production.tfvars
#
# The backend locks the state while a run works on it. A second run waits up to
# -lock-timeout, and without it ends with an error before it has sent anything. Runs of
# different projects do not wait for each other, but for the very first of a project: while
# the backend makes its state, it locks the database.
terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }

  backend "pg" {}
}

variable "project_id" {
  type = string
}

variable "launch" {
  description = "Whether surveys run in this project. Elsewhere they stay drafts."
  type        = bool
}

provider "posthog" {
  project_id = var.project_id
}

resource "posthog_survey" "nps" {
  name            = "Relationship NPS"
  type            = "popover"
  status          = var.launch ? "running" : "draft"
  responses_limit = 500

  questions = [
    {
      type     = "rating"
      question = "How likely are you to recommend us?"
      display  = "number"
      scale    = 10
    },
  ]
}
