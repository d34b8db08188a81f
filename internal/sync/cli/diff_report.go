package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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
		valueA, valueB := diffValues(attribute.A, attribute.B)
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

const (
	// longestValue is the number of characters of a value that a report shows.
	longestValue = 200
	// shownBefore is the number of characters that it shows before the first difference.
	shownBefore = 40
)

// diffValues formats two values, each on one line. Long ones are cut to the part in which
// they differ.
func diffValues(a, b any) (shownA, shownB string) {
	textA, textB := []rune(oneLineValue(a)), []rune(oneLineValue(b))
	same := 0
	for same < min(len(textA), len(textB)) && textA[same] == textB[same] {
		same++
	}

	if from := same - shownBefore; from > 0 && max(len(textA), len(textB)) > longestValue {
		return "…" + cutEnd(textA[from:]), "…" + cutEnd(textB[from:])
	}
	return cutEnd(textA), cutEnd(textB)
}

// cutEnd truncates a text that is too long for a report.
func cutEnd(text []rune) string {
	if len(text) > longestValue {
		return string(text[:longestValue-1]) + "…"
	}
	return string(text)
}

// oneLineValue formats a value as JSON.
func oneLineValue(value any) string {
	switch value := value.(type) {
	case nil:
		return "(none)"
	case words:
		return string(value)
	}
	return lineOfJSON(value)
}

// lineOfJSON is a value as JSON, for a reader.
func lineOfJSON(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSpace(b.String())
}
