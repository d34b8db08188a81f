# A purchase above 100 shows this survey on a desktop, five seconds later.
resource "posthog_survey" "purchase" {
  name = "After a large purchase"
  type = "popover"

  questions = [
    { type = "rating", question = "How easy was it to pay?", display = "number", scale = 7 },
  ]

  conditions = jsonencode({
    deviceTypes = ["Desktop"]
    events = {
      values = [
        { name = "purchase", propertyFilters = { total = { operator = "gt", values = ["100"] } } },
      ]
    }
    cancelEvents = { values = [{ name = "support chat opened" }] }
  })

  appearance = jsonencode({ surveyPopupDelaySeconds = 5 })
}
