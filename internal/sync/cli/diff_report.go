package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/excerpt"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
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
		found.Sections = append(found.Sections, report.Section{Title: title, Table: attributeTable(r.A, r.B, object.Attributes), Notes: detachedNotes(object.Name, object.Attributes)})
	}
	return found
}

// detachedNotes are how to reattach the answers of questions whose IDs a save replaced.
func detachedNotes(name string, attributes []reconcile.Attribute) []string {
	var all identity.DetachedList
	under := map[bool][]string{}
	isHarmless := true
	for _, a := range attributes {
		if !isDetached(a) {
			continue
		}
		isHarmless = isHarmless && a.Answers == past.Known(0).UpTo()
		under[a.IsPossible] = append(under[a.IsPossible], fmt.Sprintf("%s under ID %v", cmp.Or(a.Answers, past.Count{}.UpTo()), a.A))
		all = append(all, identity.Detached{ID: fmt.Sprint(a.B), OldID: fmt.Sprint(a.A), IsPossible: a.IsPossible})
	}
	if len(all) > 0 && isHarmless {
		return []string{"Question IDs were replaced. No answers are affected."}
	}

	var notes []string
	for _, part := range []struct {
		list         identity.DetachedList
		kind, advice string
	}{
		{all.Certain(), identity.DetachedAnswers, "To restore the old IDs, run:"},
		{all.Possible(), "possibly " + identity.DetachedAnswers, "If a question is the same, restore its old ID:"},
	} {
		if len(part.list) > 0 {
			notes = append(notes, part.kind+": "+strings.Join(under[part.list[0].IsPossible], ", ")+". "+part.advice, strings.TrimSpace(part.list.RepairCommand(name, false)))
		}
	}
	return notes
}

func isDetached(a reconcile.Attribute) bool { return a.Meaning == identity.DetachedAnswers }

// countDetached asks PostHog how many answers are under the IDs that questions of a survey lost.
// Where it does not count them, the number is unknown.
func (p *program) countDetached(ctx context.Context, b source.Source, id string, attributes []reconcile.Attribute) error {
	if b.Form != source.Live || !slices.ContainsFunc(attributes, isDetached) {
		return nil
	}
	known, err := p.readPast(ctx, b.Argument, id, pastSources{})
	if err != nil {
		return ctx.Err() // what is not counted is unknown
	}
	for i, a := range attributes {
		if held, ok := known.timeline.Holding(fmt.Sprint(a.A)); ok && isDetached(a) {
			attributes[i].Answers = known.counter.Responses(ctx, held).UpTo()
		}
	}
	return ctx.Err()
}

// markNewIDs marks the IDs that no question of a survey ever had, as far as the activity log shows.
func (p *program) markNewIDs(ctx context.Context, b source.Source, action *reconcile.Action) error {
	if b.Form != source.Live || len(action.Replaced) == 0 {
		return nil
	}
	known, err := p.readPast(ctx, b.Argument, action.ID, pastSources{})
	if err != nil || !known.feed.IsComplete {
		return ctx.Err() // any may have been there
	}
	for i := range action.Replaced {
		_, wasHeld := known.timeline.Holding(action.Replaced[i].Old)
		action.Replaced[i].IsNew = !wasHeld
	}
	return ctx.Err()
}

// attributeTable has the values that differ between two sides.
func attributeTable(a, b string, attributes []reconcile.Attribute) report.Table {
	table := report.Table{Columns: []string{"attribute", a, b}, Line: "%s: %s -> %s"}
	for _, attribute := range attributes {
		valueA, valueB := excerpt.Pair(attribute.A, attribute.B)
		table.Add(attribute.Path, valueA, valueB)
	}
	return table
}

// kindWord is the noun for a kind in a sentence.
func kindWord(kind source.Kind) string {
	if kind == source.App {
		return "import app"
	}
	return "survey"
}
