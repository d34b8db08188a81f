package terraform_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// What Terraform itself sends of an unchanged survey is taken for that: its state,
// its configuration and its state file.
func TestAccSurveyFastPath(t *testing.T) {
	t.Parallel()

	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()

			env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(flags))
			d := env.Differential(t)
			nothing := resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}

			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: env.Factories(),
				Steps: []resource.TestStep{
					{ConfigFile: file("five.tf")},
					{ConfigFile: file("five.tf"), ConfigPlanChecks: nothing},
					{ConfigFile: file("five.tf"), ConfigPlanChecks: nothing},
				},
			})

			t.Logf("%d reads, %d plans, %d upgrades were fast", d.Reads.Load(), d.Plans.Load(), d.Upgrades.Load())
			assert.GreaterOrEqual(t, d.Reads.Load(), int64(2))
			assert.GreaterOrEqual(t, d.Plans.Load(), int64(2))
			assert.GreaterOrEqual(t, d.Upgrades.Load(), int64(2))
		})
	}
}
