package faultmatrix

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// exits contains Terraform runs with one fault for the survey and another for the app. The run fails for the nouns in
// stops. The next run has no faults.
var exits = []struct {
	request string
	surveys string
	apps    string
	stops   string
}{
	{request: "create", surveys: "429, text", apps: "500"},
	{request: "create", surveys: "503", apps: "429, date"},
	{request: "create", surveys: "drop after", apps: "cut"},
	{request: "create", surveys: "page", apps: "502", stops: "survey"},
	{request: "create", surveys: "cut", apps: "drop before", stops: "pipeline import app"},
	{request: "partial_update", surveys: "502", apps: "504"},
	{request: "partial_update", surveys: "drop before", apps: "drop after"},
	{request: "partial_update", surveys: "401", apps: "503", stops: "survey"},
	{request: "partial_update", surveys: "cut", apps: "page", stops: "pipeline import app"},
}

// Terraform itself runs with faults. Its exit code is correct, it continues with objects that others created, and in
// the end no object is left over.
func TestAccFaults(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)

	var steps []resource.TestStep
	generation := 0
	for i, exit := range exits {
		if exit.request == "create" {
			generation++
		}

		variables := config.Variables{
			"generation": config.StringVariable(fmt.Sprint(generation)), "description": config.StringVariable(fmt.Sprint("step ", i)),
		}
		step := resource.TestStep{
			ConfigFile: config.StaticFile("testdata/night.tf"), ConfigVariables: variables,
			PreConfig: func() {
				env.SetFaults(once(exit.surveys, "surveys_"+exit.request), once(exit.apps, "pipeline_import_apps_"+exit.request))
			},
		}
		if exit.stops == "" {
			steps = append(steps, step)
			continue
		}

		// The next run has no faults and finishes the work of the failed run.
		verb := map[string]string{"create": "create", "partial_update": "update"}[exit.request]
		step.ExpectError = regexp.MustCompile(fmt.Sprintf(`Could not %s %s\s+"Night\s+watch"`, verb, exit.stops))
		steps = append(steps, step, resource.TestStep{
			ConfigFile: step.ConfigFile, ConfigVariables: variables, PreConfig: func() { env.SetFaults() },
			Check: func(*terraform.State) error {
				assert.Len(t, env.Surveys(t), 1)
				assert.Len(t, env.Apps(t), 1)
				return nil
			},
		})
	}

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(), Steps: steps,
		CheckDestroy: func(*terraform.State) error {
			assert.Empty(t, env.Surveys(t))
			assert.Empty(t, env.Apps(t))
			return nil
		},
	})
}

// once returns a fault of the table for the first request of an operation.
func once(name, operation string) testserver.Fault {
	for _, f := range faults {
		if f.name == name {
			rule := f.rule
			rule.Operation, rule.To = operation, 1
			return rule
		}
	}
	panic("there is no fault named " + name)
}
