package examples_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
)

// outputs are the outputs of the example of a data source, read from the server of acme.
var outputs = map[string]statecheck.StateCheck{
	"data-sources/posthog_survey/data-source.tf": statecheck.ExpectKnownOutputValue("nps_flag",
		knownvalue.StringRegexp(regexp.MustCompile("^survey-targeting-"))),
	"data-sources/posthog_surveys/data-source.tf": statecheck.ExpectKnownOutputValue("running",
		knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("Quarterly NPS")})),
	"data-sources/posthog_pipeline_import_app/data-source.tf": statecheck.ExpectKnownOutputValue("newest_version",
		knownvalue.StringExact("1.5.0")),
	"data-sources/posthog_pipeline_import_apps/data-source.tf": statecheck.ExpectKnownOutputValue("names",
		knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("Help desk tickets")})),
	"data-sources/posthog_survey_activity/data-source.tf": statecheck.ExpectKnownOutputValue("question_edits",
		knownvalue.ListExact([]knownvalue.Check{})),
	"data-sources/posthog_surveys_activity/data-source.tf": statecheck.ExpectKnownOutputValue("deleted",
		knownvalue.ListExact([]knownvalue.Check{})),
	"data-sources/posthog_survey_responses_count/data-source.tf": statecheck.ExpectKnownOutputValue("responses",
		knownvalue.Int64Exact(0)),
	"data-sources/posthog_pipeline_import_app_source/data-source.tf": statecheck.ExpectKnownOutputValue("files",
		knownvalue.ListExact([]knownvalue.Check{})),
	"data-sources/posthog_pipeline_import_app_updates/data-source.tf": statecheck.ExpectKnownOutputValue("update_available",
		knownvalue.Bool(false)),
	"data-sources/posthog_pipeline_import_apps_activity/data-source.tf": statecheck.ExpectKnownOutputValue("installed",
		knownvalue.ListExact([]knownvalue.Check{})),
	"data-sources/posthog_pipeline_import_apps_repository/data-source.tf": statecheck.ExpectKnownOutputValue("verified",
		knownvalue.ListExact([]knownvalue.Check{})),
	"data-sources/posthog_pipeline_import_apps_unused/data-source.tf": statecheck.ExpectKnownOutputValue("unused",
		knownvalue.ListExact([]knownvalue.Check{})),
	"data-sources/posthog_pipeline_import_apps_exports_unsubscribe_configs/data-source.tf": statecheck.ExpectKnownOutputValue("exporting_projects",
		knownvalue.ListExact([]knownvalue.Check{})),
}

func TestAccExampleDataSources(t *testing.T) {
	t.Parallel()
	for _, file := range glob(t, "data-sources/*/data-source.tf") {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			output, known := outputs[file]
			if !known {
				t.Fatalf("say what %s puts out", file)
			}
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: acme(t).Factories(),
				Steps: []resource.TestStep{{
					Config:            read(t, file),
					ConfigStateChecks: []statecheck.StateCheck{output},
				}},
			})
		})
	}
}
