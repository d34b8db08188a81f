package terraform_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Every resource in testdata/quiet.tf is applied, and then plans no change. From a copy of the server, all of them
// are then imported into an empty state with the same configuration. The import changes nothing and sends no write.
func TestAccSurveyQuiet(t *testing.T) {
	t.Parallel()

	for _, profile := range acctest.Profiles() {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()

			env := acctest.Start(t, acctest.Profile(profile))
			cli := env.CLI(t)
			writeQuiet(t, cli, nil)
			cli.Run("apply", "-auto-approve")
			cli.Run("plan", "-detailed-exitcode")

			ids := appliedIDs(t, cli)
			require.GreaterOrEqual(t, len(ids), 40)

			env = acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(env.Dump()))
			cli = env.CLI(t)
			var unknown *regexp.Regexp
			if profile == testserver.Documented {
				unknown = hostedOnly
			}
			writeQuiet(t, cli, unknown)

			var imports strings.Builder
			for name, id := range ids {
				fmt.Fprintf(&imports, "import {\n  to = posthog_survey.%s\n  id = \"1/%s\"\n}\n", name, id)
			}
			cli.Write("imports.tf", imports.String())

			output := cli.Run("apply", "-auto-approve")
			assert.Empty(t, regexp.MustCompile(`# posthog_survey\.\w+ (will be (updated|created|destroyed)|must be replaced)`).FindAllString(output, -1))
			assert.True(t, strings.Contains(output, fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed", len(ids))))
			for _, request := range env.Journal() {
				assert.Equal(t, "GET", request.Method, "%s %s", request.Path, request.Body)
			}
		})
	}
}

// writeQuiet writes the configuration without the lines that match.
func writeQuiet(t *testing.T, cli *acctest.CLI, without *regexp.Regexp) {
	t.Helper()
	cli.Write("versions.tf", ownProvider)
	for _, name := range []string{"quiet.tf", "appearance.json", "conditions.json"} {
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(t, err)
		if without != nil {
			raw = without.ReplaceAll(raw, nil)
		}
		cli.Write(name, string(raw))
	}
}

// appliedIDs returns the IDs of the state's surveys, by resource name.
func appliedIDs(t *testing.T, cli *acctest.CLI) map[string]string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(cli.Dir, "terraform.tfstate"))
	require.NoError(t, err)
	var state struct {
		Resources []struct {
			Name      string
			Instances []struct{ Attributes struct{ ID string } }
		}
	}
	require.NoError(t, json.Unmarshal(raw, &state))
	ids := map[string]string{}
	for _, one := range state.Resources {
		ids[one.Name] = one.Instances[0].Attributes.ID
	}
	return ids
}

// hostedOnly matches lines with attributes that the documented profile accepts but doesn't return, so an import can't
// know them.
var hostedOnly = regexp.MustCompile(`(?m)^  (schedule|base_language|enable_partial_responses|translations|response_sampling_\w+) +=.*\n`)

// importQuietly imports a thousand surveys into a directory's state, or fewer with -short, and returns their
// configuration.
func importQuietly(t *testing.T) (*acctest.Env, *acctest.CLI, string) {
	t.Helper()
	many := 1000
	if testing.Short() {
		many = 100
	}
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	cli := env.CLI(t)
	for n := range many {
		env.CreateSurvey(map[string]any{
			"project_id": env.ProjectID, "id": quietID(n), "name": fmt.Sprintf("Survey %03d", n), "type": "popover",
			"questions": []any{map[string]any{"id": fmt.Sprint("question-", n), "type": "open", "question": "Why?"}},
		})
	}

	cli.Write("import.tf", fmt.Sprintf(`import {
  for_each = { for n in range(%d) : n => n }
  to       = posthog_survey.many[each.value]
  id       = format("00000000-0000-4000-8000-%%012d", each.value)
}
`, many))
	configuration := ownProvider + fmt.Sprintf(`
resource "posthog_survey" "many" {
  count     = %d
  name      = format("Survey %%03d", count.index)
  type      = "popover"
  questions = [{ type = "open", question = "Why?" }]
}
`, many)
	cli.Write("main.tf", configuration)
	require.Contains(t, cli.Run("apply", "-auto-approve"), fmt.Sprintf("%d imported, 0 added, 0 changed", many))
	cli.Write("import.tf", "")
	env.ResetJournal()
	return env, cli, configuration
}

// quietID returns the ID of a survey.
func quietID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// A plan without a refresh uses only the state: for a thousand unchanged surveys, neither Terraform nor the
// provider's checks send a request.
func TestAccPlanWithoutRefresh(t *testing.T) {
	t.Parallel()
	env, cli, _ := importQuietly(t)

	assert.Contains(t, cli.Run("plan", "-refresh=false"), "No changes.")
	assert.Empty(t, env.Operations())

	// The plan misses edits in PostHog, which a plan with a refresh detects.
	env.PatchSurvey(quietID(7), map[string]any{"name": "In the web interface"})
	env.ResetJournal()
	assert.Contains(t, cli.Run("plan", "-refresh=false"), "No changes.")
	assert.Empty(t, env.Operations())
	assert.Contains(t, cli.Run("plan"), "0 to add, 1 to change, 0 to destroy")
}

// With -minimal-refresh, a CLI plans first and reads only resources that would change.
func TestAccPlanWithMinimalRefresh(t *testing.T) {
	t.Parallel()
	if probe := acctest.Start(t).CLI(t); !strings.Contains(probe.Run("plan", "-help"), "-minimal-refresh") {
		t.Skipf("%s does not support -minimal-refresh", probe.About())
	}
	env, cli, configuration := importQuietly(t)

	assert.Contains(t, cli.Run("plan", "-minimal-refresh"), "No changes.")
	assert.Empty(t, env.Operations())

	// The plan misses an edit in PostHog to a survey that the configuration doesn't change.
	env.PatchSurvey(quietID(7), map[string]any{"name": "In the web interface"})
	env.ResetJournal()
	assert.Contains(t, cli.Run("plan", "-minimal-refresh"), "No changes.")
	assert.Empty(t, env.Operations())

	// A survey that the configuration changes is read, so edits to it in PostHog are detected.
	env.PatchSurvey(quietID(8), map[string]any{"description": "In the web interface"})
	env.ResetJournal()
	cli.Write("main.tf", strings.Replace(configuration, "= format", `= count.index == 8 ? "In code" : format`, 1))
	output := cli.Run("plan", "-minimal-refresh")
	assert.Contains(t, output, "0 to add, 1 to change, 0 to destroy")
	assert.Contains(t, output, `-> "In code"`)
	assert.Contains(t, output, "In the web interface")
	assert.LessOrEqual(t, len(env.Journal()), 2, "%v", env.Operations())

	// A plan with a full refresh detects both edits.
	assert.Contains(t, cli.Run("plan"), "0 to add, 2 to change, 0 to destroy")
}
