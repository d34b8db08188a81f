mock_provider "posthog" {
  mock_data "posthog_feature_flag" {
    defaults = {
      id = 7
    }
  }
}

run "links_the_flag" {
  assert {
    condition     = output.linked_flag == 7
    error_message = "The survey must be linked to the flag of that key."
  }
}
