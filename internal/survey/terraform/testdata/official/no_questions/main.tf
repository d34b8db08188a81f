resource "posthog_survey" "this" {
  name      = "Shown by our own code"
  type      = "api"
  questions = []
}
