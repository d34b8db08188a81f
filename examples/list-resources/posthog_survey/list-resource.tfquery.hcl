# terraform query -generate-config-out=surveys.tf
list "posthog_survey" "running" {
  provider = posthog

  config {
    status   = "running"
    archived = false
  }
}
