package cli

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/doctor"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/try"
)

// tryReport is the report of try --once.
type tryReport struct {
	// Format is the version of this document.
	Format  int          `json:"format"`
	Surveys []tryOffered `json:"surveys"`
}

// tryOffered is a survey of the report.
type tryOffered struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	IsOffered bool     `json:"offered"`
	Reasons   []string `json:"reasons"`
}

// newTryReport words offers.
func newTryReport(offers []try.Offer, words func(doctor.Finding) string) tryReport {
	r := tryReport{Format: 1, Surveys: []tryOffered{}}
	for _, offer := range offers {
		row := tryOffered{ID: offer.ID, Name: offer.Name, IsOffered: offer.IsOffered(), Reasons: []string{}}
		for _, obstacle := range offer.Obstacles {
			row.Reasons = append(row.Reasons, words(obstacle))
		}
		r.Surveys = append(r.Surveys, row)
	}
	return r
}

// Text implements report.
func (r tryReport) Text(b *bytes.Buffer) {
	for _, survey := range r.Surveys {
		if survey.IsOffered {
			fmt.Fprintf(b, "offered      %s\n", escape.Terminal(survey.Name))
			continue
		}
		fmt.Fprintf(b, "not offered  %s\n", escape.Terminal(survey.Name))
		for _, reason := range survey.Reasons {
			fmt.Fprintf(b, "             - %s\n", escape.Terminal(reason))
		}
	}
	if len(r.Surveys) == 0 {
		b.WriteString("There is no survey.\n")
	}
}

// Markdown implements report.
func (r tryReport) Markdown(b *bytes.Buffer) {
	b.WriteString("| survey | offered | why not |\n|---|---|---|\n")
	for _, survey := range r.Surveys {
		fmt.Fprintf(b, "| %s | %s | %s |\n", markdownText(survey.Name), map[bool]string{true: "yes", false: "no"}[survey.IsOffered], markdownText(strings.Join(survey.Reasons, "; ")))
	}
}
