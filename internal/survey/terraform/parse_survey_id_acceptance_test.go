package terraform_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// A survey is imported by the address that the browser shows.
func TestAccImportByAddress(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Fixtures(`{"surveys":[{"project_id":"1","id":"`+surveyID+`","name":"NPS","type":"popover"}]}`))
	cli := env.CLI(t)
	cli.Write("main.tf", ownProvider+`
import {
  to = posthog_survey.nps
  id = provider::posthog::parse_survey_id("https://us.posthog.com/project/1/surveys/`+surveyID+`").import_id
}

resource "posthog_survey" "nps" {
  name = "NPS"
  type = "popover"
}
`)
	assert.Contains(t, cli.Run("plan"), "1 to import, 0 to add, 0 to change, 0 to destroy")
}
