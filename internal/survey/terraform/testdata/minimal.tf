resource "posthog_survey" "test" {
  name = "Minimal"
  type = "popover"
}
