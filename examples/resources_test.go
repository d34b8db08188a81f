package examples_test

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// The demo can be applied as a whole, and the next plan is empty.
func TestAccExampleDemo(t *testing.T) {
	t.Parallel()
	resource.Test(t, resource.TestCase{
		Steps: []resource.TestStep{{
			ProtoV6ProviderFactories: acctest.Start(t).Factories(),
			ConfigDirectory:          config.StaticDirectory("demo"),
		}},
	})
}

// The test plans the provider block together with a resource, because Terraform does not check the arguments
// of an unused provider. The block sets PostHog's URL, but planning a new object makes no request.
func TestAccExampleProvider(t *testing.T) {
	t.Parallel()
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Start(t).Factories(),
		Steps: []resource.TestStep{{
			Config:   read(t, "provider/provider.tf") + read(t, "resources/posthog_survey/resource.tf"),
			PlanOnly: true, ExpectNonEmptyPlan: true,
		}},
	})
}

// Each resource can be created, and the next plan is empty.
func TestAccExampleResources(t *testing.T) {
	t.Parallel()
	for _, file := range glob(t, "resources/*/resource*.tf") {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: acctest.Start(t).Factories(),
				Steps:                    []resource.TestStep{{Config: read(t, file)}},
			})
		})
	}
}

var importTarget = regexp.MustCompile(`(?m)^  to = (\S+)$`)

// An import block imports the object with the example's ID. The plan updates this object and creates nothing.
func TestAccExampleImportBlocks(t *testing.T) {
	t.Parallel()

	for _, file := range glob(t, "resources/*/import-by-*.tf") {
		t.Run(file, func(t *testing.T) {
			t.Parallel()

			var known []tfversion.TerraformVersionCheck
			if path.Base(file) == "import-by-identity.tf" {
				known = append(known, tfversion.SkipBelow(tfversion.Version1_12_0))
			}

			target := importTarget.FindStringSubmatch(read(t, file))
			if target == nil {
				t.Fatalf("%s does not contain the target of the import", file)
			}

			resource.Test(t, resource.TestCase{
				TerraformVersionChecks:   known,
				ProtoV6ProviderFactories: acme(t).Factories(),
				Steps: []resource.TestStep{{
					Config: read(t, beside(file, "resource.tf")) + read(t, file),
					ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
						plancheck.ExpectResourceAction(target[1], plancheck.ResourceActionUpdate),
					}},
				}},
			})
		})
	}
}

var importCommand = regexp.MustCompile(`(?m)^terraform import (\S+) (\S+)$`)

// Every command of the import scripts finds the object on the server.
func TestAccExampleImportCommands(t *testing.T) {
	t.Parallel()

	for _, file := range glob(t, "resources/*/import.sh") {
		commands := importCommand.FindAllStringSubmatch(read(t, file), -1)
		if len(commands) == 0 {
			t.Errorf("%s does not contain an import command", file)
		}

		for _, command := range commands {
			t.Run(command[0], func(t *testing.T) {
				t.Parallel()
				resource.Test(t, resource.TestCase{
					ProtoV6ProviderFactories: acme(t).Factories(),
					Steps: []resource.TestStep{{
						// An import command runs before a state exists, so the configuration must contain the source.
						Config:       read(t, "demo/provider.tf") + read(t, beside(file, "resource.tf")),
						ResourceName: command[1], ImportState: true, ImportStateId: command[2],
						ImportStateCheck: oneObject(command[2]),
					}},
				})
			})
		}
	}
}

// oneObject checks that exactly one object was imported, and that importID ends with its ID.
func oneObject(importID string) resource.ImportStateCheckFunc {
	return func(imported []*terraform.InstanceState) error {
		if len(imported) != 1 || !strings.HasSuffix(importID, imported[0].ID) {
			return fmt.Errorf("%s imported %v", importID, imported)
		}
		return nil
	}
}
