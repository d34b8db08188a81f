package importapp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// terraform query finds the apps that match, and generates a configuration of all that
// plans no change.
func TestAccQueriedAppsPlanNothing(t *testing.T) {
	t.Parallel()

	imports := object{"scheduled_tasks": []string{"runEveryHour"}}
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(profile), apps([]object{
				{"id": 1, "name": "Tickets", "plugin_type": "source", "capabilities": imports},
				{
					"id": 2, "name": `Calls "v2" ${x}`, "plugin_type": "custom", "url": "https://github.com/acme/calls", "tag": "1.0", "latest_tag": "1.1",
					"description": "Two\nlines", "icon": "https://example.com/a.png", "capabilities": imports, "is_global": true,
					"config_schema": []object{{"key": "token", "secret": true}}, "metrics": object{"calls": "sum"},
				},
				{"id": 3, "name": nil, "plugin_type": nil, "capabilities": imports, "metrics": nil, "public_jobs": nil, "url": "https://github.com/acme/other"},
			}))
			cli := env.CLI(t)
			cli.SkipBelow("1.14.0")
			cli.Write("main.tf", "terraform {\n  required_providers {\n    posthog = { source = \"surveys-as-code/posthog\" }\n  }\n}\n")
			cli.Write("all.tfquery.hcl", `
list "posthog_pipeline_import_app" "all" {
  provider = posthog
}

list "posthog_pipeline_import_app" "some" {
  provider = posthog

  config {
    name        = "TICK"
    plugin_type = "source"
  }
}
`)
			found := cli.Run("query")
			assert.Regexp(t, `list\.posthog_pipeline_import_app\.some +id=1\b.*Tickets`, found)
			assert.NotRegexp(t, `list\.posthog_pipeline_import_app\.some +id=[23]\b`, found)

			cli.Write("all.tfquery.hcl", "list \"posthog_pipeline_import_app\" \"all\" {\n  provider = posthog\n}\n")
			cli.Run("query", "-generate-config-out=generated.tf")
			require.Contains(t, cli.Run("plan"), "3 to import, 0 to add, 0 to change, 0 to destroy")
		})
	}
}
