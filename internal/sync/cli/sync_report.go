package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// syncReport reports what a sync would do, or has done.
type syncReport struct {
	// Format is the version of this document.
	Format  int             `json:"format"`
	A       string          `json:"a"`
	B       string          `json:"b"`
	Actions []syncAction    `json:"actions"`
	Skipped []skippedObject `json:"left"`
	// Same is the number of objects that are the same on both sides.
	Same int `json:"same"`
	// Rehearsal is the second run on a copy of B; nil when there was none.
	Rehearsal *rehearsal `json:"rehearsal,omitempty"`
}

// syncAction is an action with its reason in words.
type syncAction struct {
	reconcile.Action
	Reason string `json:"reason,omitempty"`
}

// skippedObject is an object that the plan skips, with the reason in words.
type skippedObject struct {
	Kind       side.Kind             `json:"kind"`
	Name       string                `json:"name"`
	ID         string                `json:"id"`
	Reason     string                `json:"reason"`
	Attributes []reconcile.Attribute `json:"attributes"`
}

// newSyncReport words a plan, before or after it is carried out.
func newSyncReport(a, b side.Side, plan reconcile.Plan) syncReport {
	r := syncReport{Format: 1, A: a.String(), B: b.String(), Actions: []syncAction{}, Skipped: []skippedObject{}, Same: plan.Same}
	for _, action := range plan.Actions {
		r.Actions = append(r.Actions, syncAction{action, reasonText(action.Reason, r.A, r.B)})
	}
	for _, o := range plan.Skipped {
		r.Skipped = append(r.Skipped, skippedObject{o.Kind, o.Name, o.ID, reasonText(o.Reason, r.A, r.B), o.Attributes})
	}
	return r
}

// count is the number of actions with one of the outcomes.
func (r syncReport) count(outcomes ...reconcile.Outcome) int {
	n := 0
	for _, action := range r.Actions {
		if slices.Contains(outcomes, action.Outcome) {
			n++
		}
	}
	return n
}

// Text implements report.
func (r syncReport) Text(b *bytes.Buffer) {
	if r.Rehearsal != nil {
		fmt.Fprintln(b, r.Rehearsal.sentence(r.B))
	}

	for _, action := range r.Actions {
		fmt.Fprintf(b, "%s %s%s\n", r.sign(action.Verb), r.title(action, fmt.Sprintf("%q", action.Name)), r.outcome(action))
		if action.Verb != reconcile.Create {
			for _, change := range action.Changes {
				before, after := diffValues(change.Before, change.After)
				fmt.Fprintf(b, "    %s: %s -> %s\n", change.Path, before, after)
			}
		}
		if cut := cutAnswers(action); cut != "" {
			fmt.Fprintf(b, "    %s\n", cut)
		}
		for _, attribute := range action.Remaining {
			fmt.Fprintf(b, "    %s\n", r.remainingValue(attribute, action.Verb == reconcile.Create))
		}
	}

	for _, skipped := range r.Skipped {
		fmt.Fprintf(b, "  %s %q is left alone: %s\n", kindWord(skipped.Kind), skipped.Name, skipped.Reason)
		for _, attribute := range skipped.Attributes {
			fmt.Fprintf(b, "    %s\n", r.remainingValue(attribute, false))
		}
	}

	fmt.Fprintln(b, r.counts())
}

// remainingValue says that a value of B still differs from that of A afterwards. An object that is
// created has no value that could stay.
func (r syncReport) remainingValue(attribute reconcile.Attribute, isNew bool) string {
	valueA, valueB := diffValues(attribute.A, attribute.B)
	switch {
	case isNew && attribute.B == nil:
		return fmt.Sprintf("%s is not copied: it is %s in %s", attribute.Path, valueA, r.A)
	case isNew:
		return fmt.Sprintf("%s is set to %s: it is %s in %s", attribute.Path, valueB, valueA, r.A)
	case attribute.B == nil:
		return fmt.Sprintf("%s stays without a value: it is %s in %s", attribute.Path, valueA, r.A)
	}
	return fmt.Sprintf("%s stays %s: it is %s in %s", attribute.Path, valueB, valueA, r.A)
}

// Markdown implements report.
func (r syncReport) Markdown(b *bytes.Buffer) {
	fmt.Fprintf(b, "### %s onto %s\n\n%s\n", escape.MarkdownCode(r.A), escape.MarkdownCode(r.B), r.counts())
	if r.Rehearsal != nil {
		fmt.Fprintf(b, "\n%s\n", markdownText(r.Rehearsal.sentence(r.B)))
	}

	var sections []func(*bytes.Buffer)
	for _, action := range r.Actions {
		sections = append(sections, func(b *bytes.Buffer) { r.section(b, action) })
	}
	for _, skipped := range r.Skipped {
		sections = append(sections, func(b *bytes.Buffer) {
			fmt.Fprintf(b, "\n#### %s %s is left alone\n\n%s\n", kindWord(skipped.Kind), markdownText(skipped.Name), markdownText(skipped.Reason))
			r.remainingTable(b, skipped.Attributes)
		})
	}
	writeWhatFits(b, sectionsLimit, sections, "\n", "object", func(b *bytes.Buffer, write func(*bytes.Buffer)) { write(b) })
}

// section writes the Markdown of one action.
func (r syncReport) section(b *bytes.Buffer, action syncAction) {
	fmt.Fprintf(b, "\n#### %s %s%s\n", r.sign(action.Verb), markdownText(r.title(action, action.Name)), markdownText(r.outcome(action)))
	if len(action.Changes) > 0 && action.Verb != reconcile.Create {
		b.WriteString("\n| attribute | before | after |\n|---|---|---|\n")
		for _, change := range action.Changes {
			before, after := diffValues(change.Before, change.After)
			fmt.Fprintf(b, "| %s | %s | %s |\n", escape.MarkdownCell(change.Path), markdownText(before), markdownText(after))
		}
	}
	if cut := cutAnswers(action); cut != "" {
		fmt.Fprintf(b, "\n%s\n", markdownText(cut))
	}
	r.remainingTable(b, action.Remaining)
}

// cutAnswers says which answers an action cuts off or deletes; empty for none.
func cutAnswers(action syncAction) string {
	isDeleted := action.Verb == reconcile.Delete && action.Kind == side.Survey && action.Outcome != reconcile.Refused
	switch {
	case isDeleted && action.Number().IsNone():
		return ""
	case isDeleted:
		return "loses " + numberOf(action.Number())
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
	return fmt.Sprintf("cuts off the answers to %s: the survey has %s", strings.Join(questions, ", "), numberOf(action.Number()))
}

// numberOf words a number of responses, with the reason for which it may be higher.
func numberOf(number responses.Number) string {
	switch {
	case number.IsKnown():
		return count(int(number.Counted), "response")
	case number.Counted > 0:
		return fmt.Sprintf("at least %s (%s)", count(int(number.Counted), "response"), number.Reason)
	}
	return fmt.Sprintf("an unknown number of responses (%s)", number.Reason)
}

// remainingTable lists the values that still differ afterwards.
func (r syncReport) remainingTable(b *bytes.Buffer, remaining []reconcile.Attribute) {
	if len(remaining) == 0 {
		return
	}
	fmt.Fprintf(b, "\n| left | %s | %s |\n|---|---|---|\n", markdownText(r.A), markdownText(r.B))
	for _, attribute := range remaining {
		valueA, valueB := diffValues(attribute.A, attribute.B)
		fmt.Fprintf(b, "| %s | %s | %s |\n", escape.MarkdownCell(attribute.Path), markdownText(valueA), markdownText(valueB))
	}
}

func (r syncReport) sign(verb reconcile.Verb) string {
	return map[reconcile.Verb]string{
		reconcile.Create: "+", reconcile.Update: "~", reconcile.Rename: "~", reconcile.Archive: "~", reconcile.Delete: "-",
	}[verb]
}

// title describes an action.
func (r syncReport) title(action syncAction, name string) string {
	title := fmt.Sprintf("%s %s %s", action.Verb, kindWord(action.Kind), name)
	switch {
	case action.Verb == reconcile.Rename:
		return title + " for the time being"
	case action.Verb == reconcile.Create && action.Kind == side.Survey && action.IsDraft():
		return title + " as a draft"
	case action.Launches():
		return title + " and launch it"
	}
	return title
}

// outcome is the outcome of an action, with the reason.
func (r syncReport) outcome(action syncAction) string {
	switch {
	case action.Outcome == reconcile.Planned:
		return ""
	case action.Reason != "":
		return fmt.Sprintf(": %s: %s", action.Outcome, action.Reason)
	}
	return ": " + string(action.Outcome)
}

// counts is the line with the summary.
func (r syncReport) counts() string {
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
