# One NPS over several surveys, week by week on a dashboard of the official provider. Their
# answers are in properties of different names, which response_key gives.
terraform {
  required_providers {
    posthog = {
      source = "surveys-as-code/posthog"
    }
    official = {
      source = "posthog/posthog"
    }
  }
}

provider "posthog" {
  project_id = "12345"
}

provider "official" {
  project_id = "12345"
}

resource "posthog_survey" "nps" {
  for_each = toset(["Shop", "App"])

  name = "NPS ${each.key}"
  type = "popover"

  questions = [
    { type = "rating", question = "How likely are you to recommend us?", display = "number", scale = 10 },
  ]
}

locals {
  # The score of an event, whichever survey it answers.
  scores = join(", ", [
    for survey in posthog_survey.nps : "toInt(properties.`${provider::posthog::response_key(survey.questions[0])}`)"
  ])
  surveys = join(", ", [for survey in posthog_survey.nps : "'${survey.id}'"])
}

resource "posthog_dashboard" "nps" {
  provider = official
  name     = "NPS"
}

resource "posthog_insight" "nps" {
  provider      = official
  name          = "NPS of all surveys"
  dashboard_ids = [posthog_dashboard.nps.id]

  query_json = jsonencode({
    kind    = "DataVisualizationNode"
    display = "ActionsLineGraph"
    source = {
      kind  = "HogQLQuery"
      query = <<-SQL
        SELECT toStartOfWeek(timestamp) AS week, 100 * (countIf(score >= 9) - countIf(score <= 6)) / count() AS nps
        FROM (
          SELECT timestamp, coalesce(${local.scores}) AS score
          FROM events
          WHERE event = 'survey sent' AND properties.$survey_id IN (${local.surveys})
        )
        WHERE score IS NOT NULL
        GROUP BY week
        ORDER BY week
      SQL
    }
  })
}
