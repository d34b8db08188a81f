package cli

import (
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
)

// reviewReport is the report of review.
type reviewReport struct {
	// Format is the version of the JSON format.
	Format  int                   `json:"format"`
	Surveys []review.SurveyChange `json:"surveys"`
}

// Text implements report.Printed. The Markdown page is readable as plain text.
func (r reviewReport) Text() string { return r.Markdown() }

// Markdown implements report.Printed.
func (r reviewReport) Markdown() string { return review.Page(r.Surveys, report.Limit-200) }
