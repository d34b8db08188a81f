package terraform_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/officialprovider"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// ownProvider and bothProviders are the first blocks of configurations.
const (
	ownProvider = `
terraform {
  required_providers {
    posthog = { source = "surveys-as-code/posthog" }
  }
}
`
	bothProviders = `
terraform {
  required_providers {
    posthog  = { source = "surveys-as-code/posthog" }
    official = { source = "posthog/posthog" }
  }
}

resource "posthog_feature_flag" "checkout" {
  provider = official
  key      = "new-checkout"
}
`
)

// officialFile returns the path of one of a survey's files in officialDir.
func officialFile(t *testing.T, survey, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(officialDir, survey, name))
	require.NoError(t, err)
	return string(content)
}

// stateOf returns the state as terraform show prints it.
func stateOf(t *testing.T, cli *acctest.CLI) map[string]*tfjson.StateResource {
	t.Helper()
	var state tfjson.State
	require.NoError(t, json.Unmarshal([]byte(cli.Run("show", "-json")), &state))
	resources := map[string]*tfjson.StateResource{}
	for _, one := range state.Values.RootModule.Resources {
		resources[one.Address] = one
	}
	return resources
}

func onlyReads(t *testing.T, env *acctest.Env) {
	t.Helper()
	require.NotEmpty(t, env.Journal())
	for _, request := range env.Journal() {
		assert.Equal(t, http.MethodGet, request.Method, request.Path)
	}
}

// terraform state replace-provider works with posthog/posthog's unchanged states.
func TestAccMigrationByReplaceProvider(t *testing.T) {
	t.Parallel()

	for _, name := range []string{"every_kind", "targeting_filters"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(officialFile(t, name, "service.json")))
			cli := env.CLI(t)
			cli.Write("main.tf", ownProvider+officialFile(t, name, "main.tf"))
			cli.Write("terraform.tfstate", officialFile(t, name, "terraform.tfstate"))

			cli.Run("state", "replace-provider", "-auto-approve", "registry.terraform.io/posthog/posthog", "surveys-as-code/posthog")
			output, code := cli.Exit("plan", "-detailed-exitcode")
			require.Zero(t, code, output)
			require.Contains(t, output, "No changes.")

			cli.Run("apply", "-auto-approve")
			survey := stateOf(t, cli)["posthog_survey.this"]
			assert.Equal(t, uint64(1), survey.SchemaVersion)
			assert.Equal(t, questionIDs(t, only(t, env)), questionIDs(t, survey.AttributeValues))
			onlyReads(t, env)
		})
	}
}

// A moved block moves a survey to this provider, while posthog/posthog keeps the linked flag. The other provider is a
// stand-in with the same type names, because tests can't download the real one.
func TestAccMigrationByMoved(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(officialFile(t, "linked_flag", "service.json")))
	cli := env.CLI(t).With(officialprovider.Source, officialprovider.New)
	after := strings.NewReplacer(`"posthog_survey" "this"`, `"posthog_survey" "checkout"`, "= 41", "= posthog_feature_flag.checkout.id")
	cli.Write("main.tf", bothProviders+`
moved {
  from = posthog_survey.this
  to   = posthog_survey.checkout
}
`+after.Replace(officialFile(t, "linked_flag", "main.tf")))
	cli.Write("terraform.tfstate", withFlag(t, officialFile(t, "linked_flag", "terraform.tfstate")))

	output := cli.Run("plan")
	require.Contains(t, output, "0 to add, 0 to change, 0 to destroy")
	require.Contains(t, output, "posthog_survey.this has moved to posthog_survey.checkout")

	cli.Run("apply", "-auto-approve")
	resources := stateOf(t, cli)
	assert.Equal(t, questionIDs(t, only(t, env)), questionIDs(t, resources["posthog_survey.checkout"].AttributeValues))
	assert.Contains(t, resources["posthog_survey.checkout"].ProviderName, "surveys-as-code/posthog")
	assert.True(t, strings.HasSuffix(resources["posthog_feature_flag.checkout"].ProviderName, "/posthog/posthog"))
	output, code := cli.Exit("plan", "-detailed-exitcode")
	assert.Zero(t, code, output)
	onlyReads(t, env)
}

// withFlag adds the flag new-checkout to a state file, as posthog/posthog manages it.
func withFlag(t *testing.T, file string) string {
	t.Helper()
	var state map[string]any
	require.NoError(t, json.Unmarshal([]byte(file), &state))
	resources, ok := state["resources"].([]any)
	require.True(t, ok)
	state["resources"] = append(resources, object{
		"mode": "managed", "type": "posthog_feature_flag", "name": "checkout", "provider": `provider["registry.terraform.io/posthog/posthog"]`,
		"instances": []any{object{"schema_version": 0, "attributes": object{"id": 41, "key": "new-checkout"}, "sensitive_attributes": []any{}}},
	})
	text, err := json.Marshal(state)
	require.NoError(t, err)
	return string(text)
}

// Both providers have a resource posthog_survey. One configuration can use both under two local names.
func TestAccBesideTheOfficialProvider(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, acctest.Fixtures(`{"feature_flags":[{"id":41,"project_id":"1","key":"new-checkout"}]}`))
	cli := env.CLI(t).With(officialprovider.Source, officialprovider.New)
	cli.Write("main.tf", bothProviders+`
resource "posthog_survey" "ours" {
  name           = "New checkout"
  type           = "popover"
  linked_flag_id = posthog_feature_flag.checkout.id
  questions      = [{ type = "open", question = "What is missing?" }]
}

resource "posthog_survey" "theirs" {
  provider       = official
  name           = "Managed by the other provider"
  type           = "popover"
  questions_json = jsonencode([{ type = "open", question = "Why?" }])
}
`)
	cli.Run("apply", "-auto-approve")
	assert.Equal(t, "New checkout", only(t, env)["name"])
	output, code := cli.Exit("plan", "-detailed-exitcode")
	assert.Zero(t, code, output)
}
