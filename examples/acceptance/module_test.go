// Package acceptance_test shows how to test a module that uses the provider: with a real Terraform, with the
// provider in the test process, and with the test server instead of PostHog. Run it with TF_ACC=1.
package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	posthog "github.com/surveys-as-code/terraform-provider-posthog/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The module contains the provider's source, so the tests must serve the provider under this source.
func TestMain(m *testing.M) {
	if err := os.Setenv(resource.EnvTfAccProviderNamespace, "surveys-as-code"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// factories run the provider in the test process.
var factories = map[string]func() (tfprotov6.ProviderServer, error){
	"posthog": providerserver.NewProtocol6WithError(posthog.New("test")()),
}

// configuration returns the module's configuration with a provider block for a server.
func configuration(t *testing.T, service *testserver.Instance) string {
	t.Helper()
	module, err := os.ReadFile(filepath.Join("module", "main.tf"))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`
provider "posthog" {
  base_url   = %q
  api_key    = %q
  project_id = %q
}

%s`, service.URL, service.APIKey, service.ProjectID, module)
}

// arguments returns the module's arguments.
func arguments(launch bool) config.Variables {
	return config.Variables{"name": config.StringVariable("NPS"), "launch": config.BoolVariable(launch)}
}

func TestAccModuleLaunches(t *testing.T) {
	t.Parallel()
	service := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{
				Config:          configuration(t, service),
				ConfigVariables: arguments(false),
				Check:           resource.TestCheckResourceAttr("posthog_survey.this", "status", "draft"),
			},
			{
				Config:          configuration(t, service),
				ConfigVariables: arguments(true),
				Check:           resource.TestCheckResourceAttr("posthog_survey.this", "status", "running"),
			},
		},
	})

	if left := service.Surveys(service.ProjectID); len(left) > 0 {
		t.Errorf("%d surveys still exist after the destroy", len(left))
	}
}

// PostHog fails once. The apply still succeeds and creates one survey, not two.
func TestAccModuleSurvivesAFailure(t *testing.T) {
	t.Parallel()
	service := testserver.Start(t)
	service.SetFaults(testserver.Fault{Operation: "surveys_create", To: 1, Status: 503, RetryAfter: "0"})

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{{
			Config:          configuration(t, service),
			ConfigVariables: arguments(false),
			Check:           resource.TestCheckResourceAttrSet("posthog_survey.this", "id"),
		}},
	})

	created := 0
	for _, request := range service.Journal() {
		if request.Operation == "surveys_create" && request.Status == 201 {
			created++
		}
	}
	if created != 1 {
		t.Errorf("%d surveys were created, want 1", created)
	}
}
