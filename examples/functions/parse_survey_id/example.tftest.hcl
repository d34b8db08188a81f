mock_provider "posthog" {}

run "takes_the_address_apart" {
  assert {
    condition     = output.import_id == "12345/0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17"
    error_message = "The import id must have the project and the id of the address."
  }
}
