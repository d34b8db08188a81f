import {
  to = posthog_survey.nps
  identity = {
    project_id = "12345"
    id         = "0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17"
  }
}
