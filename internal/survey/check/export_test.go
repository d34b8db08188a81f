package check

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// PlanFindings returns the findings of a plan as values.
func PlanFindings(config, planned, prior survey.Fields, pairs survey.QuestionPairs, options Options, diags *diag.Diagnostics) []Finding {
	return plan(config, planned, prior, pairs, options, diags).InYAML()
}
