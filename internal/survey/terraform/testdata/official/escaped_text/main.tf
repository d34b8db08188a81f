resource "posthog_survey" "this" {
  name = "Größe & Preis"
  type = "popover"

  questions = [
    {
      type                     = "open"
      question                 = "Ist das <b>gut</b> & günstig? 🙂"
      description              = "A \"quoted\" line\u2028and another"
      description_content_type = "html"
    },
    { type = "multiple_choice", question = "Choose", choices = ["A & B", "< 5", "> 5"] },
  ]
}
