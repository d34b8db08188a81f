package provider_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
)

// A person watches Terraform on the page of the test server: the survey that an apply
// makes appears without a reload, and a fault that is switched on there hits the next
// plan.
func TestAccPage(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	page := browsertest.Start(t).Open(t, env.URL+"/", browsertest.View{})
	page.WaitFor(t, "#pause")
	file := config.StaticFile("testdata/page.tf")

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps: []resource.TestStep{
			{
				ConfigFile: file,
				Check: func(*terraform.State) error {
					surveys := env.Surveys(t)
					assert.Len(t, surveys, 1)
					page.WaitFor(t, "#survey-"+surveys[0]["id"].(string))
					assert.Contains(t, page.Text(t, "#objects"), "Watched on the page")
					return nil
				},
			},
			{
				PreConfig: func() {
					page.Click(t, "#tab-faults")
					page.WaitFor(t, "#fault-times")
					page.Evaluate(t, `document.getElementById("fault-times").value = ""; true`, new(bool))
					page.Click(t, `button[value="403"]`)
					page.WaitFor(t, "#faults .rules")
				},
				ConfigFile: file, PlanOnly: true, ExpectError: regexp.MustCompile(`403`),
			},
			{
				PreConfig: func() {
					page.Click(t, `#faults button[name="remove"]`)
					page.WaitFor(t, "#faults > .empty")
				},
				ConfigFile: file, PlanOnly: true,
			},
		},
	})
	assert.Empty(t, page.Errors())
}
