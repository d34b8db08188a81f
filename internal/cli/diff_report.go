package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
)

// markdownLimit bounds a report in Markdown: the comments of code hosts hold 65,536
// characters.
const markdownLimit = 60_000

// diffReport is what differs between two sides.
type diffReport struct {
	// Format is the version of this document.
	Format  int                `json:"format"`
	A       string             `json:"a"`
	B       string             `json:"b"`
	Objects []reconcile.Object `json:"objects"`
	Summary reconcile.Summary  `json:"summary"`
}

// Text implements report.
func (r diffReport) Text(w io.Writer) error {
	var b strings.Builder
	for _, object := range r.Objects {
		fmt.Fprintf(&b, "%s %s %q%s\n", r.sign(object.Change), kindWord(object.Kind), object.Name, r.where(object))
		for _, attribute := range object.Attributes {
			valueA, valueB := diffValues(attribute.A, attribute.B)
			fmt.Fprintf(&b, "    %s: %s -> %s\n", attribute.Path, valueA, valueB)
		}
	}
	fmt.Fprintln(&b, r.counts())
	_, err := io.WriteString(w, b.String())
	return err
}

// Markdown implements report.
func (r diffReport) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### `%s` and `%s`\n\n%s\n", r.A, r.B, r.counts())

	for i, object := range r.Objects {
		var one strings.Builder
		fmt.Fprintf(&one, "\n#### %s %s %s%s\n", r.sign(object.Change), kindWord(object.Kind), markdownText(object.Name), r.where(object))
		if len(object.Attributes) > 0 {
			fmt.Fprintf(&one, "\n| attribute | %s | %s |\n|---|---|---|\n", markdownText(r.A), markdownText(r.B))
		}
		for _, attribute := range object.Attributes {
			valueA, valueB := diffValues(attribute.A, attribute.B)
			fmt.Fprintf(&one, "| `%s` | %s | %s |\n", attribute.Path, markdownText(valueA), markdownText(valueB))
		}

		// What does not fit is counted.
		if b.Len()+one.Len() > markdownLimit-200 {
			fmt.Fprintf(&b, "\n%s more: too long for a comment.\n", count(len(r.Objects)-i, "object"))
			break
		}
		b.WriteString(one.String())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// counts is the summary in words.
func (r diffReport) counts() string {
	return fmt.Sprintf("%d missing, %d extra, %d changed, %d the same.", r.Summary.Missing, r.Summary.Extra, r.Summary.Changed, r.Summary.Same)
}

func (r diffReport) sign(change reconcile.Change) string {
	return map[reconcile.Change]string{reconcile.Missing: "-", reconcile.Extra: "+", reconcile.Changed: "~"}[change]
}

// where says on which side an object is that only one of them has.
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

// kindWord is what a kind is called in a sentence.
func kindWord(kind side.Kind) string {
	if kind == side.App {
		return "import app"
	}
	return "survey"
}

// markdownText escapes what would end a cell or begin markup.
func markdownText(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ", "`", "'", "[", `\[`, "*", `\*`, "_", `\_`).Replace(text)
}
