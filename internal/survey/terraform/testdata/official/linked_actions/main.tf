resource "posthog_survey" "this" {
  name = "Tour"
  type = "api"

  questions  = [{ type = "open", question = "How was the tour?" }]
  conditions = jsonencode({ url = "/tour", urlMatchType = "exact", actions = { values = [{ id = 7 }] } })
}
