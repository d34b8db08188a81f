package examples_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// made contains the state checks of the function examples.
var made = map[string]statecheck.StateCheck{
	"functions/question/function.tf": statecheck.ExpectKnownValue("posthog_survey.onboarding",
		tfjsonpath.New("questions").AtSliceIndex(0).AtMapKey("display"), knownvalue.StringExact("emoji")),
	"functions/questions/function.tf": statecheck.ExpectKnownValue("posthog_survey.nps",
		tfjsonpath.New("questions").AtSliceIndex(0).AtMapKey("branching").AtMapKey("response_values").AtMapKey("promoters"), knownvalue.StringExact("2")),
	"functions/flow/function.tf": statecheck.ExpectKnownOutputValue("flow",
		knownvalue.StringRegexp(regexp.MustCompile(`q0 -->\|"No"\| q1`))),
	"functions/response_key/function.tf": statecheck.ExpectKnownOutputValue("property",
		knownvalue.StringRegexp(regexp.MustCompile(`^\$survey_response_.+`))),
	"functions/parse_survey_id/function.tf": statecheck.ExpectKnownOutputValue("import_id",
		knownvalue.StringExact("12345/0190d6a4-7e1c-7b52-a3f0-2c9d8e4b6f17")),
	"functions/response_template/function.tf": statecheck.ExpectKnownOutputValue("message",
		knownvalue.StringRegexp(regexp.MustCompile(`^New answer: \{event\.properties\['\$survey_response_[^']+'\]\}$`))),
}

func TestAccExampleFunctions(t *testing.T) {
	t.Parallel()
	for _, file := range glob(t, "functions/*/function.tf") {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			check, known := made[file]
			if !known {
				t.Fatalf("the test does not contain the expected result of %s. Add it", file)
			}
			resource.Test(t, resource.TestCase{
				TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
				ProtoV6ProviderFactories: acctest.Start(t).Factories(),
				Steps: []resource.TestStep{{
					Config:            "terraform {\n  required_providers {\n    posthog = { source = \"surveys-as-code/posthog\" }\n  }\n}\n" + read(t, file),
					ConfigStateChecks: []statecheck.StateCheck{check},
				}},
			})
		})
	}
}
