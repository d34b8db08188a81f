package terraform_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// terraform apply -invoke runs an action by itself, for which the testing framework has
// no step.
func TestAccInvokeActions(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(`{"surveys":[{"project_id":"1","id":"`+surveyID+`","name":"NPS","type":"popover"}]}`))
	cli := env.CLI(t)
	cli.SkipBelow("1.14.0")
	cli.Write("main.tf", ownProvider+`
action "posthog_survey_launch" "nps" {
  config {
    survey_id = "`+surveyID+`"
  }
}

action "posthog_survey_stop" "nps" {
  config {
    survey_id = "`+surveyID+`"
  }
}
`)

	output := cli.Run("apply", "-auto-approve", "-invoke=action.posthog_survey_launch.nps")
	assert.Contains(t, output, `Survey "NPS" is launched.`)
	assert.Equal(t, "started, never ended", dates(t, env))

	output = cli.Run("apply", "-auto-approve", "-invoke=action.posthog_survey_stop.nps")
	assert.Contains(t, output, `Survey "NPS" is stopped.`)
	assert.Equal(t, "started, ended", dates(t, env))
	assert.Len(t, env.RequestBodies(t, http.MethodPatch), 2)
}

// A state that the CLI under test writes is read by the other ones, which plan no change.
func TestAccStateOfAnotherCLI(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, acctest.Fixtures(flags))
	cli := env.CLI(t)
	full, err := os.ReadFile("testdata/full.tf")
	require.NoError(t, err)
	cli.Write("main.tf", ownProvider+string(full))
	cli.Run("apply", "-auto-approve")

	others := cli.Others(filepath.Join("..", ".."))
	if len(others) == 0 {
		t.Skip("there is no other CLI: make programs builds them")
	}
	for _, other := range others {
		t.Run(cli.About()+" to "+other.About(), func(t *testing.T) {
			t.Parallel()
			other := other.CopyTo(t)
			if cli.IsTofu() && !other.IsTofu() {
				// Terraform keeps the host of an address. OpenTofu replaces that of the other
				// registry by its own.
				other.Run("state", "replace-provider", "-auto-approve", "registry.opentofu.org/surveys-as-code/posthog", "surveys-as-code/posthog")
			}
			output, code := other.Exit("plan", "-detailed-exitcode")
			assert.Zero(t, code, output)
			assert.Empty(t, env.RequestBodies(t, http.MethodPatch))
		})
	}
}

// A project that the same apply creates is the project of the provider, whatever project the
// environment names.
func TestAccProjectKnownLater(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, acctest.Fixtures(`{"projects":[{"id":1},{"id":2}]}`))
	require.Equal(t, "1", env.Environment["POSTHOG_PROJECT_ID"])
	cli := env.CLI(t)
	cli.Write("main.tf", ownProvider+`
resource "terraform_data" "project" {
  input = "2"
}

provider "posthog" {
  project_id = terraform_data.project.output
}

resource "posthog_survey" "nps" {
  name      = "NPS"
  type      = "popover"
  questions = [{ type = "open", question = "Why?" }]
}
`)

	assert.Contains(t, cli.Run("apply", "-auto-approve"), "The provider is not configured yet")
	assert.Empty(t, env.Server.Surveys("1"))
	assert.Len(t, env.Server.Surveys("2"), 1)
	output, code := cli.Exit("plan", "-detailed-exitcode")
	assert.Zero(t, code, output)
}

// lifecycle { enabled } of OpenTofu creates and destroys a survey like count.
func TestAccTofuEnabled(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t)
	cli := env.CLI(t)
	cli.SkipBelowTofu("1.11.0")
	cli.Write("main.tf", ownProvider+`
variable "enabled" {
  type = bool
}

resource "posthog_survey" "maybe" {
  name      = "Only in some environments"
  type      = "popover"
  questions = [{ type = "open", question = "Why?" }]

  lifecycle {
    enabled = var.enabled
  }
}
`)

	cli.Run("apply", "-auto-approve", "-var=enabled=true")
	assert.Len(t, env.Surveys(t), 1)
	output, code := cli.Exit("plan", "-detailed-exitcode", "-var=enabled=true")
	assert.Zero(t, code, output)
	cli.Run("apply", "-auto-approve", "-var=enabled=false")
	assert.Empty(t, env.Surveys(t))
}
