package examples_test

import (
	"path"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

// sent maps an action's example to the operation that the action sends.
var sent = map[string]string{
	"actions/posthog_survey_launch/action.tf":                     "surveys_partial_update",
	"actions/posthog_survey_stop/action.tf":                       "surveys_partial_update",
	"actions/posthog_pipeline_import_app_upgrade/action.tf":       "pipeline_import_apps_upgrade_create",
	"actions/posthog_pipeline_import_app_update_source/action.tf": "pipeline_import_apps_update_source_partial_update",
}

// triggers maps an example's directory to the action that is triggered by creating a resource.
var triggers = map[string]string{
	"posthog_survey_launch":                     "action.posthog_survey_launch.feedback",
	"posthog_survey_stop":                       "action.posthog_survey_stop.nps",
	"posthog_pipeline_import_app_upgrade":       "action.posthog_pipeline_import_app_upgrade.tickets",
	"posthog_pipeline_import_app_update_source": "action.posthog_pipeline_import_app_update_source.tickets",
}

func TestAccExampleActions(t *testing.T) {
	t.Parallel()

	for _, file := range glob(t, "actions/*/action.tf") {
		t.Run(file, func(t *testing.T) {
			t.Parallel()

			operation, trigger := sent[file], triggers[path.Base(path.Dir(file))]
			if operation == "" || trigger == "" {
				t.Fatalf("the test does not contain the request that %s sends. Add it", file)
			}

			env := acme(t)
			resource.Test(t, resource.TestCase{
				TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_14_0)},
				ProtoV6ProviderFactories: env.Factories(),
				Steps: []resource.TestStep{{
					Config: read(t, file) + `
resource "terraform_data" "trigger" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [` + trigger + `]
    }
  }
}`,
					PostApplyFunc: func() {
						if n := env.Operations()[operation]; n != 1 {
							t.Errorf("got %d requests for %s, want 1", n, operation)
						}
					},
				}},
			})
		})
	}
}
