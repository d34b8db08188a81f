package examples_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/querycheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

// queries contains the addresses of the list blocks in the examples. Each finds one object on acme's server.
var queries = map[string]string{
	"list-resources/posthog_survey/list-resource.tfquery.hcl":              "list.posthog_survey.running",
	"list-resources/posthog_pipeline_import_app/list-resource.tfquery.hcl": "list.posthog_pipeline_import_app.all",
}

func TestAccExampleListResources(t *testing.T) {
	t.Parallel()

	for _, file := range glob(t, "list-resources/*/list-resource.tfquery.hcl") {
		t.Run(file, func(t *testing.T) {
			t.Parallel()

			address, known := queries[file]
			if !known {
				t.Fatalf("the test does not contain the address of the list block in %s. Add it", file)
			}
			resource.Test(t, resource.TestCase{
				TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_14_0)},
				ProtoV6ProviderFactories: acme(t).Factories(),
				Steps: []resource.TestStep{
					// A query needs a directory whose configuration names the provider.
					{Config: read(t, "demo/provider.tf")},
					{
						Query:             true,
						Config:            read(t, file),
						QueryResultChecks: []querycheck.QueryResultCheck{querycheck.ExpectLength(address, 1)},
					},
				},
			})
		})
	}
}
