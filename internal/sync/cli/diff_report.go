package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/past"
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

// cutNotes say how the answers of questions are given back that a save without ids has cut off, or
// may have.
func cutNotes(name string, attributes []reconcile.Attribute) []string {
	var cut, cutOrNew []string
	for _, a := range attributes {
		switch {
		case a.Meaning == reconcile.CutOrNew:
			cutOrNew = append(cutOrNew, fmt.Sprint(a.A))
		case isCut(a):
			cut = append(cut, fmt.Sprintf("%s under id %v", cmp.Or(a.Answers, past.Count{}.UpTo()), a.A))
		}
	}

	var notes []string
	giveBack := survey.GiveBackCommand(name)
	if len(cut) > 0 {
		notes = append(notes, survey.AnswersCutOff+": a save left out ids; to give them back: "+giveBack+" ("+strings.Join(cut, ", ")+")")
	}
	if len(cutOrNew) > 0 {
		notes = append(notes, "the same text has another id than "+strings.Join(cutOrNew, ", ")+": either a save left out ids and cut answers off, which "+
			giveBack+" gives back, or the id in the file is new: then give the question another text, or leave the id out")
	}
	return notes
}

func isCut(a reconcile.Attribute) bool {
	return a.Meaning == survey.AnswersCutOff || a.Meaning == reconcile.CutOrNew
}

// countCut asks the service how many answers there are under the ids that questions of a survey
// lost, and with that whether they had these. Where it does not tell, the number is unknown.
func (p *program) countCut(ctx context.Context, b side.Side, id string, attributes []reconcile.Attribute) error {
	if b.Form != side.Live || !slices.ContainsFunc(attributes, isCut) {
		return nil
	}
	known, err := p.readPast(ctx, b.Argument, id, pastSources{})
	if err != nil {
		return ctx.Err() // what is not told is unknown
	}
	for i, a := range attributes {
		if held, ok := known.timeline.Holding(fmt.Sprint(a.A)); ok && isCut(a) {
			attributes[i].Meaning = survey.AnswersCutOff
			attributes[i].Answers = known.counter.Responses(ctx, held).UpTo()
		}
	}
	return ctx.Err()
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
