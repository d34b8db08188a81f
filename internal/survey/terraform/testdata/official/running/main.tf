resource "posthog_survey" "this" {
  name            = "Checkout"
  description     = "Asked after an order"
  type            = "popover"
  start_date      = "2026-03-02T09:00:00Z"
  responses_limit = 500

  questions = [{
    type              = "rating"
    question          = "How was checkout?"
    display           = "emoji"
    scale             = 5
    lower_bound_label = "Bad"
    upper_bound_label = "Great"
  }]

  conditions = jsonencode({
    url                        = "https://shop.example.com/checkout"
    urlMatchType               = "icontains"
    seenSurveyWaitPeriodInDays = 14
    deviceTypes                = ["Mobile"]
    deviceTypesMatchType       = "icontains"
    events                     = { values = [{ name = "order placed" }], repeatedActivation = false }
  })

  appearance = jsonencode({
    backgroundColor         = "#eeeded"
    position                = "right"
    displayThankYouMessage  = true
    thankYouMessageHeader   = "Thank you!"
    whiteLabel              = false
    surveyPopupDelaySeconds = 5
  })
}
