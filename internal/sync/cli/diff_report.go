package cli

import (
	"fmt"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// diffReport is the report of diff.
type diffReport struct {
	// Format is the version of this document.
	Format  int                `json:"format"`
	A       string             `json:"a"`
	B       string             `json:"b"`
	Objects []reconcile.Object `json:"objects"`
	Summary reconcile.Summary  `json:"summary"`
}

// Report implements result.
func (r diffReport) reported() report.Report {
	found := report.Report{
		Title: r.A + " and " + r.B, Noun: "object",
		Summary: fmt.Sprintf("%d missing, %d extra, %d changed, %d the same.", r.Summary.Missing, r.Summary.Extra, r.Summary.Changed, r.Summary.Same),
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
		found.Sections = append(found.Sections, report.Section{Title: title, Table: attributeTable(r.A, r.B, object.Attributes), Notes: cutNotes(object.Name, object.Attributes)})
	}
	return found
}

// cutNotes say how the answers of questions are given back that a save without ids has cut off.
func cutNotes(name string, attributes []reconcile.Attribute) []string {
	isCut := func(a reconcile.Attribute) bool { return a.Meaning == survey.AnswersCutOff }
	if !slices.ContainsFunc(attributes, isCut) {
		return nil
	}
	return []string{survey.AnswersCutOff + ": a save left out ids; to give them back: " + survey.GiveBackCommand(name)}
}

// attributeTable has the values that differ between two sides.
func attributeTable(a, b string, attributes []reconcile.Attribute) report.Table {
	table := report.Table{Columns: []string{"attribute", a, b}, Line: "%s: %s -> %s"}
	for _, attribute := range attributes {
		valueA, valueB := side.ShownValues(attribute.A, attribute.B)
		table.Add(attribute.Path, valueA, valueB)
	}
	return table
}

// kindWord is the noun for a kind in a sentence.
func kindWord(kind side.Kind) string {
	if kind == side.App {
		return "import app"
	}
	return "survey"
}
