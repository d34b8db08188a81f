# terraform query -generate-config-out=surveys.tf
list "posthog_survey" "running" {
  provider = posthog
  limit    = 1000 # Terraform stops at 100 unless this says otherwise

  config {
    status   = "running"
    archived = false
  }
}
