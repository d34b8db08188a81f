variable "launch" {
  type    = bool
  default = false
}

resource "posthog_survey" "new_editor" {
  name   = "New editor"
  type   = "popover"
  status = var.launch ? "running" : "draft"

  questions = [
    {
      type     = "rating"
      question = "How easy is the new editor to use?"
      display  = "number"
      scale    = 5
    },
  ]
}
