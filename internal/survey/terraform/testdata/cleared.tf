resource "posthog_survey" "test" {
  name   = "Changed"
  type   = "widget"
  status = "draft"
}
