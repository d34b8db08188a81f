package cli

import (
	"bytes"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// mostWithSide is how many objects of one side alone name that side, each by itself.
const mostWithSide = 5

// diffReport is the report of diff.
type diffReport struct {
	// Format is the version of this document.
	Format  int                `json:"format"`
	A       string             `json:"a"`
	B       string             `json:"b"`
	Objects []reconcile.Object `json:"objects"`
	Summary reconcile.Summary  `json:"summary"`
}

// Text implements report.
func (r diffReport) Text(b *bytes.Buffer) {
	counted := map[reconcile.Change]int{reconcile.Missing: r.Summary.Missing, reconcile.Extra: r.Summary.Extra}
	for _, object := range r.Objects {
		// Of many that one side lacks, the count line says which side that is.
		where := r.where(object)
		if counted[object.Change] > mostWithSide {
			where = ""
		}
		fmt.Fprintf(b, "%s %s %q%s\n", r.sign(object.Change), kindWord(object.Kind), object.Name, where)
		for _, attribute := range object.Attributes {
			valueA, valueB := diffValues(attribute.A, attribute.B)
			fmt.Fprintf(b, "    %s: %s -> %s\n", attribute.Path, valueA, valueB)
		}
	}
	if counted[reconcile.Missing] > mostWithSide {
		fmt.Fprintf(b, "- is missing in %s. ", r.B)
	}
	if counted[reconcile.Extra] > mostWithSide {
		fmt.Fprintf(b, "+ is in %s alone. ", r.B)
	}
	fmt.Fprintln(b, r.counts())
}

// Markdown implements report.
func (r diffReport) Markdown(b *bytes.Buffer) {
	fmt.Fprintf(b, "### %s and %s\n\n%s\n", escape.MarkdownCode(r.A), escape.MarkdownCode(r.B), r.counts())

	writeWhatFits(b, sectionsLimit, r.Objects, "\n", "object", r.section)
}

// section writes the Markdown of one object.
func (r diffReport) section(b *bytes.Buffer, object reconcile.Object) {
	fmt.Fprintf(b, "\n#### %s %s %s\n", r.sign(object.Change), kindWord(object.Kind), markdownText(object.Name+r.where(object)))
	if len(object.Attributes) > 0 {
		fmt.Fprintf(b, "\n| attribute | %s | %s |\n|---|---|---|\n", markdownText(r.A), markdownText(r.B))
	}
	for _, attribute := range object.Attributes {
		valueA, valueB := diffValues(attribute.A, attribute.B)
		fmt.Fprintf(b, "| %s | %s | %s |\n", escape.MarkdownCell(attribute.Path), markdownText(valueA), markdownText(valueB))
	}
}

// counts is the line with the summary.
func (r diffReport) counts() string {
	return fmt.Sprintf("%d missing, %d extra, %d changed, %d the same.", r.Summary.Missing, r.Summary.Extra, r.Summary.Changed, r.Summary.Same)
}

func (r diffReport) sign(change reconcile.Change) string {
	return map[reconcile.Change]string{reconcile.Missing: "-", reconcile.Extra: "+", reconcile.Changed: "~"}[change]
}

// where says which side lacks an object; empty for one that both have.
func (r diffReport) where(object reconcile.Object) string {
	switch object.Change {
	case reconcile.Missing:
		return " is missing in " + r.B
	case reconcile.Extra:
		return " is in " + r.B + " alone"
	default:
		return ""
	}
}

// kindWord is the noun for a kind in a sentence.
func kindWord(kind side.Kind) string {
	if kind == side.App {
		return "import app"
	}
	return "survey"
}
