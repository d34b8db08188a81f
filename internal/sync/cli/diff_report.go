package cli

import (
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/excerpt"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// diffReport is the report of diff.
type diffReport struct {
	// Format is the version of the JSON format.
	Format  int                `json:"format"`
	A       string             `json:"a"`
	B       string             `json:"b"`
	Objects []reconcile.Object `json:"objects"`
	// Detached lists the surveys in which a save replaced question IDs.
	Detached []detachedSurvey `json:"detached,omitempty"`
	// Returned lists the surveys for which the other source still contains questions that were deleted in
	// PostHog.
	Returned []returnedSurvey `json:"returned,omitempty"`
	// Stopped lists a file's surveys that PostHog stopped at their response limits.
	Stopped []reconcile.Stopped `json:"stopped,omitempty"`
	Summary reconcile.Summary   `json:"summary"`
}

// toReport implements result.
func (r diffReport) toReport() report.Report {
	page := report.Report{
		Title: r.A + " and " + r.B, Noun: "object",
		Summary: fmt.Sprintf("%d missing, %d extra, %d changed, %d the same.", r.Summary.Missing, r.Summary.Extra, r.Summary.Changed, r.Summary.Same),
	}
	for _, stopped := range r.Stopped {
		page.Notes = append(page.Notes, fmt.Sprintf("survey %q is not running: %s", stopped.Name, stopped.Meaning))
	}
	for _, object := range r.Objects {
		title := fmt.Sprintf("%s %q", kindWord(object.Kind), object.Name)
		switch object.Change {
		case reconcile.Missing:
			title = "- " + title + " is missing in " + r.B
		case reconcile.Extra:
			title = "+ " + title + " is in " + r.B + " alone"
		case reconcile.Changed:
			title = "~ " + title
		}
		page.Sections = append(page.Sections, report.Section{Title: title, Table: attributeTable(r.A, r.B, object.Attributes)})
	}
	page.Sections = append(page.Sections, returnedSections(r.Returned)...)
	page.Sections = append(page.Sections, detachedSections(r.Detached)...)
	return page
}

// attributeTable returns a table of the values that differ between two sources.
func attributeTable(a, b string, attributes []reconcile.Attribute) report.Table {
	table := report.Table{Columns: []string{"attribute", a, b}, Line: "%s: %s -> %s"}
	for _, attribute := range attributes {
		valueA, valueB := excerpt.Pair(attribute.A, attribute.B)
		table.Add(attribute.Path, valueA, valueB)
	}
	return table
}

// kindWord returns the noun for a kind of object.
func kindWord(kind source.Kind) string {
	if kind == source.App {
		return "import app"
	}
	return "survey"
}
