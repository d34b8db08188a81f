# Each of these plans to nothing after apply and after import, in both profiles.

resource "posthog_survey" "appearance" {
  name       = "appearance"
  type       = "popover"
  appearance = "{\"position\":\"left\",\"zIndex\":\"1e3\",\"n\":1.50}"
}

resource "posthog_survey" "appearance_big" {
  name       = "appearance, big"
  type       = "popover"
  appearance = "{\"n\":9007199254740993,\"f\":0.1000}"
}

resource "posthog_survey" "archived" {
  name     = "archived"
  type     = "popover"
  archived = true
}

resource "posthog_survey" "branching" {
  name = "branching"
  type = "popover"
  questions = [
    {
      branching = {
        response_values = {
          negative = "1"
          positive = "end"
        }
        type = "response_based"
      }
      question = "How?"
      scale    = 5
      type     = "rating"
    },
    {
      question = "Why?"
      type     = "open"
    },
  ]
}

resource "posthog_survey" "branching_no_keys" {
  name = "branching, no keys"
  type = "popover"
  questions = [
    {
      branching = {
        response_values = {}
        type            = "response_based"
      }
      question = "How?"
      type     = "rating"
    },
  ]
}

resource "posthog_survey" "choices" {
  name = "choices"
  type = "popover"
  questions = [
    {
      choices = [
        "a",
        "b",
      ]
      has_open_choice = true
      question        = "Which?"
      shuffle_options = false
      type            = "multiple_choice"
    },
  ]
}

resource "posthog_survey" "completed" {
  name   = "completed"
  type   = "popover"
  status = "completed"
}

resource "posthog_survey" "conditions" {
  name       = "conditions"
  type       = "popover"
  conditions = "{\"url\":\"/a\",\"urlMatchType\":\"exact\"}"
}

resource "posthog_survey" "conditions_empty" {
  name       = "conditions empty"
  type       = "popover"
  conditions = "{}"
}

resource "posthog_survey" "conditions_html" {
  name       = "conditions, HTML"
  type       = "popover"
  conditions = "{\"selector\":\"a > b[title=\\\"<c> & d\\\"]\"}"
}

resource "posthog_survey" "conditions_nulls" {
  name       = "conditions, nulls"
  type       = "popover"
  conditions = "{\"url\":null,\"actions\":null,\"events\":null}"
}

resource "posthog_survey" "conditions_pretty" {
  name       = "conditions, pretty"
  type       = "popover"
  conditions = "{\n  \"urlMatchType\" : \"exact\",\n  \"url\" : \"/a\"\n}\n"
}

resource "posthog_survey" "date" {
  name       = "date"
  type       = "popover"
  start_date = "2026-01-01T10:00:00Z"
}

resource "posthog_survey" "date_with_fraction" {
  name       = "date with fraction"
  type       = "popover"
  start_date = "2026-01-01T10:00:00.000Z"
}

resource "posthog_survey" "date_with_offset" {
  name       = "date with offset"
  type       = "popover"
  start_date = "2026-01-01T10:00:00+02:00"
}

resource "posthog_survey" "date_without_offset" {
  name       = "date without offset"
  type       = "popover"
  start_date = "2026-01-01T10:00:00"
}

resource "posthog_survey" "date_without_seconds" {
  name       = "date without seconds"
  type       = "popover"
  start_date = "2026-01-01T10:00Z"
}

resource "posthog_survey" "date_microseconds" {
  name       = "date, microseconds"
  type       = "popover"
  start_date = "2026-01-01T10:00:00.123456Z"
}

resource "posthog_survey" "dates_and_status" {
  name       = "dates and status"
  type       = "popover"
  end_date   = "2026-02-01T10:00:00Z"
  start_date = "2026-01-01T10:00:00Z"
  status     = "completed"
}

resource "posthog_survey" "defaults_spelled_out" {
  name            = "defaults spelled out"
  type            = "popover"
  archived        = false
  deletion_policy = "delete"
  description     = ""
}

resource "posthog_survey" "description" {
  name        = "description"
  type        = "popover"
  description = "What it is for"
}

resource "posthog_survey" "description_empty" {
  name        = "description empty"
  type        = "popover"
  description = ""
}

resource "posthog_survey" "draft" {
  name   = "draft"
  type   = "popover"
  status = "draft"
}

resource "posthog_survey" "extra" {
  name = "extra"
  type = "popover"
  questions = [
    {
      extra    = "{ \"originalQuestionIndex\" : 0, \"since\": null }"
      question = "Why?"
      type     = "open"
    },
  ]
}

resource "posthog_survey" "filters_pretty" {
  name                   = "filters, pretty"
  type                   = "popover"
  targeting_flag_filters = "{\n  \"groups\": [ {\"rollout_percentage\": 50.0, \"properties\": [{\"value\":\"b\",\"key\":\"a\",\"type\":\"person\"}]} ]\n}"
}

resource "posthog_survey" "hosted_only" {
  name                     = "hosted only"
  type                     = "popover"
  base_language            = "de"
  enable_partial_responses = true
  schedule                 = "always"
  translations             = "{\"fr\":{\"thankYouMessageHeader\":\"Merci\"}}"
}

resource "posthog_survey" "hosted_sampling" {
  name                         = "hosted sampling"
  type                         = "popover"
  response_sampling_interval   = 1
  response_sampling_limit      = 10
  response_sampling_start_date = "2036-01-01T00:00:00Z"
}

resource "posthog_survey" "limits" {
  name                     = "limits"
  type                     = "popover"
  iteration_count          = 0
  iteration_frequency_days = 0
  responses_limit          = 0
}

resource "posthog_survey" "linked_flag" {
  name           = "linked flag"
  type           = "popover"
  linked_flag_id = 1
}

resource "posthog_survey" "linked_flag_variant" {
  name           = "linked flag variant"
  type           = "popover"
  conditions     = "{\"linkedFlagVariant\":\"any\"}"
  linked_flag_id = 1
}

resource "posthog_survey" "minimal" {
  name = "minimal"
  type = "popover"
}

resource "posthog_survey" "no_questions" {
  name      = "no questions"
  type      = "popover"
  questions = []
}

resource "posthog_survey" "open" {
  name = "open"
  type = "popover"
  questions = [
    {
      question = "Why?"
      type     = "open"
    },
  ]
}

resource "posthog_survey" "question_id" {
  name = "question id"
  type = "popover"
  questions = [
    {
      id       = "mine"
      question = "Why?"
      type     = "open"
    },
  ]
}

resource "posthog_survey" "question_translations" {
  name = "question translations"
  type = "popover"
  questions = [
    {
      question     = "Why?"
      translations = "{\"de\": {\"question\": \"Warum?\"}}"
      type         = "open"
    },
  ]
}

resource "posthog_survey" "question_html" {
  name = "question, HTML"
  type = "popover"
  questions = [
    {
      description = "a < b &amp; c"
      question    = "<b>Why</b> & <script>how</script>?"
      type        = "open"
    },
  ]
}

resource "posthog_survey" "question_blanks" {
  name = "question, blanks"
  type = "popover"
  questions = [
    {
      description = ""
      question    = " Why? "
      type        = "open"
    },
  ]
}

resource "posthog_survey" "question_unicode" {
  name = "question, unicode"
  type = "popover"
  questions = [
    {
      question = "Warum \u2028 😀 é?"
      type     = "open"
    },
  ]
}

resource "posthog_survey" "rating" {
  name = "rating"
  type = "popover"
  questions = [
    {
      display           = "number"
      lower_bound_label = "no"
      question          = "How?"
      scale             = 10
      type              = "rating"
    },
  ]
}

resource "posthog_survey" "recurring" {
  name                     = "recurring"
  type                     = "popover"
  iteration_count          = 3
  iteration_frequency_days = 7
  start_date               = "2026-01-01T10:00:00Z"
}

resource "posthog_survey" "running" {
  name   = "running"
  type   = "popover"
  status = "running"
}

resource "posthog_survey" "targeting_filters" {
  name                   = "targeting filters"
  type                   = "popover"
  targeting_flag_filters = "{\"groups\":[{\"properties\":[{\"key\":\"a\",\"type\":\"person\",\"value\":\"b\",\"operator\":\"exact\"}],\"rollout_percentage\":50}]}"
}

resource "posthog_survey" "targeting_flag" {
  name              = "targeting flag"
  type              = "popover"
  targeting_flag_id = 1
}

resource "posthog_survey" "validation" {
  name = "validation"
  type = "popover"
  questions = [
    {
      question = "Why?"
      type     = "open"
      validation = [
        {
          type  = "min_length"
          value = 3
        },
        {
          type = "email"
        },
      ]
    },
  ]
}

resource "posthog_survey" "file" {
  name       = "a file, pretty and unsorted"
  type       = "popover"
  appearance = file("${path.module}/appearance.json")
  conditions = file("${path.module}/conditions.json")
}

resource "posthog_survey" "outer_blanks" {
  name        = "  outer blanks "
  description = "with a line break at the end\n"
  type        = "popover"
}

resource "posthog_survey" "html" {
  name = "HTML of every sort"
  type = "popover"
  questions = [
    { type = "open", question = "plain <b>bold</b>" },
    { type = "open", question = "<a href=\"https://example.com\">link</a>", description = "<script>alert(0)</script>after" },
    { type = "open", question = "<i>unclosed", description = "Q&A <br> more & more" },
    { type = "open", question = "<!-- comment -->text", description = "<unknown>kept</unknown>" },
    { type = "open", question = "a < b & c > d", description = "&amp; &lt;b&gt;" },
    { type = "open", question = "<p style=\"color:red\" onclick=\"x()\">styled</p>" },
    { type = "single_choice", question = "<h2>Which?</h2>", choices = ["<b>a</b>", "b & <i>c</i>"], button_text = "<u>Go</u>" },
    { type = "rating", question = "How?", scale = 5, lower_bound_label = "<b>no", upper_bound_label = "yes<style>b{}</style>" },
  ]
  appearance = jsonencode({
    displayThankYouMessage     = true
    thankYouMessageHeader      = "<b>Thanks</b> & <script>bye</script>"
    thankYouMessageDescription = "<a href='https://example.com'>more"
  })
}

resource "posthog_survey" "nulls" {
  name       = "explicit nulls"
  type       = "popover"
  conditions = jsonencode({ url = null, actions = null, events = null, seenSurveyWaitPeriodInDays = null })
  appearance = jsonencode({ thankYouMessageHeader = null })
  questions  = [{ type = "open", question = "Why?", description = null, branching = null, choices = null, extra = null }]
}

resource "posthog_survey" "language" {
  name          = "language codes"
  type          = "popover"
  base_language = "EN"
}

resource "posthog_survey" "always" {
  name     = "always"
  type     = "widget"
  schedule = "always"
}

resource "posthog_survey" "waiting" {
  name       = "wait period"
  type       = "popover"
  conditions = jsonencode({ seenSurveyWaitPeriodInDays = 30 })
  start_date = "2026-01-05T00:00:00Z"
}

resource "posthog_survey" "api" {
  name   = "api"
  type   = "api"
  status = "running"
}

resource "posthog_survey" "defaults" {
  name                     = "defaults of the hosted service"
  type                     = "popover"
  schedule                 = "once"
  enable_partial_responses = false
  archived                 = false
  description              = ""
}
