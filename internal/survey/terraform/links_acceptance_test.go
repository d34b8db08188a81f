package terraform_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// After an upgrade from a release without url and public_url, the plan is empty with and without a refresh, even if
// something refers to these attributes.
func TestAccUpgradeToLinks(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	cli := env.CLI(t)
	cli.Write("main.tf", ownProvider+`
variable "description" {
  default = "Before"
}

resource "posthog_survey" "all" {
  for_each = toset(["popover", "external_survey"])

  name        = each.key
  type        = each.key
  description = var.description
  questions   = [{ type = "open", question = "Why?" }]
}
`)
	cli.Run("apply", "-auto-approve")
	links := linksInState(t, cli)
	require.NotNil(t, links[`posthog_survey.all["external_survey"]`][1])
	require.Nil(t, links[`posthog_survey.all["popover"]`][1])

	withoutLinks(t, cli)
	for _, args := range [][]string{{"-refresh=false"}, {}} {
		output, code := cli.Exit(append([]string{"plan", "-detailed-exitcode"}, args...)...)
		assert.Zero(t, code, output)
		assert.Contains(t, output, "No changes.")
	}
	cli.Run("apply", "-auto-approve")
	assert.Equal(t, links, linksInState(t, cli), "a read must add the URLs to the state")
	assert.Empty(t, env.RequestBodies(t, http.MethodPatch))

	withoutLinks(t, cli)
	cli.Run("apply", "-auto-approve", "-refresh=false", "-var=description=After")
	assert.Equal(t, links, linksInState(t, cli), "a write must add the URLs to the state")
	output, code := cli.Exit("plan", "-detailed-exitcode", "-var=description=After")
	assert.Zero(t, code, output)
}

// linksInState returns url and public_url of all surveys.
func linksInState(t *testing.T, cli *acctest.CLI) map[string][2]any {
	t.Helper()
	links := map[string][2]any{}
	for address, one := range stateOf(t, cli) {
		links[address] = [2]any{one.AttributeValues["url"], one.AttributeValues["public_url"]}
	}
	return links
}

// withoutLinks changes a state into one from a release without url and public_url.
func withoutLinks(t *testing.T, cli *acctest.CLI) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(cli.Dir, "terraform.tfstate"))
	require.NoError(t, err)
	var state map[string]any
	require.NoError(t, json.Unmarshal(text, &state))
	for _, one := range state["resources"].([]any) {
		for _, instance := range one.(object)["instances"].([]any) {
			attributes := instance.(object)["attributes"].(object)
			delete(attributes, "url")
			delete(attributes, "public_url")
		}
	}
	text, err = json.Marshal(state)
	require.NoError(t, err)
	cli.Write("terraform.tfstate", string(text))
}
