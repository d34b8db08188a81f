terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
  }
}

provider "posthog" {
  ca_cert     = "${path.module}/ca.pem"
  client_cert = file("${path.module}/client.pem")
  client_key  = "${path.module}/client.key"
}

resource "posthog_survey" "nps" {
  name = "NPS"
  type = "popover"
  questions = [
    { type = "open", question = "Why?" },
  ]
}
