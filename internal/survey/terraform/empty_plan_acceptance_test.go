package terraform_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Every resource of testdata/quiet.tf is applied and plans to nothing; then all of
// them are imported into an empty state from a copy of that server, with the same
// configuration, and nothing is to change and nothing is sent.
func TestAccSurveyQuiet(t *testing.T) {
	t.Parallel()

	for _, profile := range profiles {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()

			env := acctest.Start(t, acctest.Profile(profile))
			ids := map[string]string{}
			var stored string

			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: env.Factories(),
				Steps: []resource.TestStep{{
					ConfigDirectory: config.StaticDirectory(quietDirectory(t, profile, nil)),
					Check: func(s *terraform.State) error {
						for address, one := range s.RootModule().Resources {
							ids[strings.TrimPrefix(address, "posthog_survey.")] = one.Primary.ID
						}
						stored = env.Dump()
						return nil
					},
					ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
				}},
			})

			assert.GreaterOrEqual(t, len(ids), 40)
			importsQuietly(t, profile, ids, stored)
		})
	}
}

func importsQuietly(t *testing.T, profile testserver.Profile, ids map[string]string, stored string) {
	t.Helper()
	env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(stored))
	var checks []plancheck.PlanCheck
	for name := range ids {
		checks = append(checks, plancheck.ExpectResourceAction("posthog_survey."+name, plancheck.ResourceActionNoop))
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps: []resource.TestStep{{
			ConfigDirectory:  config.StaticDirectory(quietDirectory(t, profile, ids)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: checks},
			Check: func(*terraform.State) error {
				for _, request := range env.Journal() {
					assert.Equal(t, "GET", request.Method, "%s %s", request.Path, request.Body)
				}
				return nil
			},
		}},
	})
}

// quietDirectory is a copy of the configuration, with an import block for each id.
func quietDirectory(t *testing.T, profile testserver.Profile, ids map[string]string) string {
	t.Helper()
	directory := t.TempDir()
	for _, name := range []string{"quiet.tf", "appearance.json", "conditions.json"} {
		raw, err := os.ReadFile("testdata/" + name)
		require.NoError(t, err)
		if ids != nil && profile == testserver.Documented {
			raw = hostedOnly.ReplaceAll(raw, nil)
		}
		require.NoError(t, os.WriteFile(directory+"/"+name, raw, 0o600))
	}
	var imports strings.Builder
	for name, id := range ids {
		imports.WriteString("import {\n  to = posthog_survey." + name + "\n  id = \"1/" + id + "\"\n}\n")
	}
	require.NoError(t, os.WriteFile(directory+"/imports.tf", []byte(imports.String()), 0o600))
	return directory
}

// hostedOnly are the lines with attributes that the documented profile takes and
// does not return: an import cannot know them.
var hostedOnly = regexp.MustCompile(`(?m)^  (schedule|base_language|enable_partial_responses|translations|response_sampling_\w+) +=.*\n`)
