variable "ask_for_a_call" {
  type    = bool
  default = true
}

resource "posthog_survey" "feedback" {
  name = "Feedback"
  type = "popover"

  questions = concat(
    [
      {
        type     = "rating"
        question = "How do you like the new editor?"
        display  = "emoji"
        scale    = 5
      },
    ],
    [
      for text in var.ask_for_a_call ? ["May we call you about it?"] : [] : {
        type     = "single_choice"
        question = text
        choices  = ["Yes", "No"]
      }
    ],
    [
      {
        type     = "open"
        question = "Anything else?"
        optional = true
      },
    ],
  )
}
