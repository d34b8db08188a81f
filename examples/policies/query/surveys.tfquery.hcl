# terraform query -policies=DIRECTORY
list "posthog_survey" "running" {
  provider         = posthog
  limit            = 1000 # Terraform stops at 100 unless this says otherwise
  include_resource = true # without it policies have nothing to look at

  config {
    status   = "running"
    archived = false
  }
}
