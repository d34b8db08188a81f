variable "status" {
  type    = string
  default = null
}

resource "posthog_survey" "test" {
  name   = "Lifecycle"
  type   = "popover"
  status = var.status
}
