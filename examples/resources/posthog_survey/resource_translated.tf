# Respondents whose browser is set to German read the German texts.
resource "posthog_survey" "translated" {
  name          = "Cancellation"
  type          = "popover"
  base_language = "en"

  questions = [
    {
      type     = "single_choice"
      question = "Why do you leave us?"
      choices  = ["Too expensive", "Missing features", "Something else"]

      translations = jsonencode({
        de = {
          question = "Warum verlassen Sie uns?"
          choices  = ["Zu teuer", "Es fehlen Funktionen", "Etwas anderes"]
        }
      })
    },
  ]

  appearance   = jsonencode({ thankYouMessageHeader = "Thank you!" })
  translations = jsonencode({ de = { thankYouMessageHeader = "Danke!" } })
}
