package cli

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/excerpt"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// syncReport shows what a sync would do, or has done.
type syncReport struct {
	// Format is the version of the JSON format.
	Format  int                       `json:"format"`
	A       string                    `json:"a"`
	B       string                    `json:"b"`
	Actions []reconcile.Action        `json:"actions"`
	Skipped []reconcile.SkippedObject `json:"left"`
	// Detached lists the surveys of B with detached answers. Planned actions may reattach some of them.
	Detached []detachedSurvey `json:"detached,omitempty"`
	// Returned lists the surveys to which actions add deleted questions again.
	Returned []returnedSurvey `json:"returned,omitempty"`
	// Same is the number of objects that are equal in both sources.
	Same int `json:"same"`
	// Rehearsal is the result of a second run on a copy of B, or nil if there was none.
	Rehearsal *rehearsal `json:"rehearsal,omitempty"`
	// effects are the actions' effects on respondents, or nil if the report does not show them.
	effects []review.SurveyChange
}

// newSyncReport returns the report of a plan, before or after its execution.
func newSyncReport(a, b source.Source, plan reconcile.Plan, detached []detachedSurvey, returned []returnedSurvey) syncReport {
	return syncReport{Format: 1, A: a.String(), B: b.String(), Actions: plan.Actions, Skipped: plan.Skipped, Detached: afterPlan(detached, plan), Returned: returned, Same: plan.Same}
}

// count returns the number of actions with one of the outcomes.
func (r syncReport) count(outcomes ...reconcile.Outcome) int {
	n := 0
	for _, action := range r.Actions {
		if slices.Contains(outcomes, action.Outcome) {
			n++
		}
	}
	return n
}

// toReport implements result.
func (r syncReport) toReport() report.Report {
	page := report.Report{Title: r.A + " onto " + r.B, Summary: r.summary(), Noun: "object"}
	if r.Rehearsal != nil {
		page.Notes = []string{r.Rehearsal.sentence(r.B)}
	}
	if r.effects != nil {
		page.Sections = append(page.Sections, report.Section{Page: review.Page(r.effects, report.Limit/2)})
	}

	for _, action := range r.Actions {
		section := report.Section{Title: actionTitle(action)}
		if action.Verb != reconcile.Create {
			section.Table = report.Table{Columns: []string{"attribute", "before", "after"}, Line: "%s: %s -> %s"}
			for _, change := range action.Changes {
				before, after := excerpt.Pair(change.Before, change.After)
				section.Table.Add(change.Path, before, after)
			}
		}
		section.Notes = append(section.Notes, audienceNotes(action)...)
		if cut := detachedAnswers(action); cut != "" {
			section.Notes = append(section.Notes, cut)
		}
		for _, replaced := range action.Replaced {
			section.Notes = append(section.Notes, replacedNote(replaced))
		}
		for _, moved := range action.Moved {
			section.Notes = append(section.Notes, fmt.Sprintf("%s: %s is the ID of another question, whose earlier answers will appear under %s. The ID of this question is %s",
				moved.Path, moved.ID, identity.Excerpt(moved.Text), moved.OwnID))
		}
		for _, possible := range action.Possible {
			section.Notes = append(section.Notes, possibleNote(possible))
		}
		section.Notes = append(section.Notes, r.remaining(action.Remaining, action.Verb == reconcile.Create)...)
		page.Sections = append(page.Sections, section)
	}

	for _, skipped := range r.Skipped {
		page.Sections = append(page.Sections, report.Section{
			Title: fmt.Sprintf("  %s %q is left alone: %s", kindWord(skipped.Kind), skipped.Name, skipped.Reason),
			Notes: r.remaining(skipped.Attributes, false),
		})
	}
	page.Sections = append(page.Sections, returnedSections(r.Returned)...)
	page.Sections = append(page.Sections, detachedSections(r.Detached)...)
	return page
}

// actionTitle describes an action and its outcome.
func actionTitle(action reconcile.Action) string {
	sign := map[reconcile.Verb]string{reconcile.Create: "+", reconcile.Delete: "-"}[action.Verb]
	if sign == "" {
		sign = "~"
	}
	title := fmt.Sprintf("%s %s %s %q", sign, action.Verb, kindWord(action.Kind), action.Name)
	switch {
	case action.Verb == reconcile.Rename:
		title += " temporarily"
	case action.Verb == reconcile.Create && action.Kind == source.Survey && action.IsDraft():
		title += " as a draft"
	case action.Launches():
		title += " and launch it"
	}

	switch {
	case action.Outcome == reconcile.Planned:
		return title
	case action.Reason != "":
		return fmt.Sprintf("%s: %s: %s", title, action.Outcome, action.Reason)
	}
	return title + ": " + string(action.Outcome)
}

// remaining describes B's values that still differ from A after the action. isNew is set if the action
// creates the object.
func (r syncReport) remaining(attributes []reconcile.Attribute, isNew bool) []string {
	var sentences []string
	for _, attribute := range attributes {
		valueA, valueB := excerpt.Pair(attribute.A, attribute.B)
		becomes := "stays " + valueB
		switch {
		case isNew && attribute.B == nil:
			becomes = "is not copied"
		case isNew:
			becomes = "is set to " + valueB
		case attribute.B == nil:
			becomes = "stays without a value"
		}
		sentence := fmt.Sprintf("%s %s: it is %s in %s", attribute.Path, becomes, valueA, r.A)
		if attribute.Meaning != "" && attribute.Detached == nil {
			sentence += "; " + attribute.Meaning
		}
		sentences = append(sentences, sentence)
	}
	return sentences
}

// detachedAnswers describes the answers that an action detaches or deletes. It returns an empty string
// if there are none.
func detachedAnswers(action reconcile.Action) string {
	isDeleted := action.Verb == reconcile.Delete && action.Kind == source.Survey && action.Outcome != reconcile.Refused && action.Outcome != reconcile.Skipped
	switch {
	case isDeleted && action.Number().IsNone():
		return ""
	case isDeleted:
		return "loses " + formatNumber(action.Number())
	case len(action.Dropped) == 0:
		return ""
	}
	questions := make([]string, len(action.Dropped))
	for i, text := range action.Dropped {
		questions[i] = strconv.Quote(text)
	}

	if action.Number().IsNone() {
		return "drops " + strings.Join(questions, ", ") + ": the survey has no responses"
	}
	return fmt.Sprintf("detaches the answers to %s: the survey has %s", strings.Join(questions, ", "), formatNumber(action.Number()))
}

// replacedNote explains what happens to a question's answers when its ID is replaced.
func replacedNote(replaced reconcile.ReplacedID) string {
	detached := past.Count{Number: replaced.Answers}
	if replaced.ID == "" {
		detached = past.ExactCount(0)
	}
	if replaced.IsNew {
		return fmt.Sprintf("%s: a new ID; detaches the answers under the ID %s (%s)", replaced.Path, orNone(replaced.ID), detached.Words())
	}
	return fmt.Sprintf("%s: reattaches the answers under the ID %s, and detaches those under the ID %s (%s)",
		replaced.Path, replaced.Old, orNone(replaced.ID), detached.Words())
}

// audienceNotes describes the audience of a survey that an action creates or launches, and B's feature
// flags that replace A's.
func audienceNotes(action reconcile.Action) []string {
	var notes []string
	switch after := action.Effect.After; {
	case after == nil:
	case action.Launches():
		notes = append(notes, "asks "+review.LaunchAudience(*after))
	case action.Verb == reconcile.Create:
		notes = append(notes, "once launched, it asks "+review.LaunchAudience(*after))
	}
	for _, key := range slices.Sorted(maps.Keys(action.MappedFlags)) {
		notes = append(notes, fmt.Sprintf("feature flag %q stands for %q (--map-flag)", action.MappedFlags[key], key))
	}
	return notes
}

// possibleNote warns that a question may become a different question with the same ID.
func possibleNote(possible reconcile.PossibleQuestion) string {
	changes := fmt.Sprintf("%s -> %s", identity.Excerpt(possible.Before), identity.Excerpt(possible.After))
	if possible.Before == possible.After {
		parts := make([]string, len(possible.Content))
		for i, change := range possible.Content {
			before, after := excerpt.Pair(change.Before, change.After)
			_, name, _ := strings.Cut(change.Path, ".")
			parts[i] = fmt.Sprintf("%s %s -> %s", name, before, after)
		}
		changes = identity.Excerpt(possible.After) + ", " + strings.Join(parts, ", ")
	}
	return fmt.Sprintf("Warning: %s may become a different question (%s). It keeps the ID %s, so its earlier answers will appear under the new question. "+
		"If the question is different, set its id to a new ID. If it is the same, set its id to %s.", possible.Path, changes, possible.ID, possible.ID)
}

// formatNumber formats a response count, with the reason why the actual count may be higher.
func formatNumber(number responses.Number) string {
	if number.IsKnown() {
		return number.String()
	}
	return fmt.Sprintf("%s (%s)", number.String(), number.Reason)
}

// summary counts.
func (r syncReport) summary() string {
	if len(r.Actions) == 0 {
		return fmt.Sprintf("Nothing to do: %d the same, %d left alone.", r.Same, len(r.Skipped))
	}
	var parts []string
	for _, outcome := range []reconcile.Outcome{
		reconcile.Planned, reconcile.Done, reconcile.Skipped, reconcile.Failed, reconcile.Refused, reconcile.NotRun,
	} {
		if n := r.count(outcome); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, outcome))
		}
	}
	return fmt.Sprintf("%s; %d left alone, %d the same.", strings.Join(parts, ", "), len(r.Skipped), r.Same)
}
