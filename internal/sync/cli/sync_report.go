package cli

import (
	"fmt"
	"io"
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
	Format int    `json:"format"`
	A      string `json:"a"`
	B      string `json:"b"`
	reconcile.Plan
	// Rehearsal is the second run on a copy of B; nil when there was none.
	Rehearsal *rehearsal `json:"rehearsal,omitempty"`
}

// Text implements report.
func (r syncReport) Text(w io.Writer) error {
	var b strings.Builder
	if r.Rehearsal != nil {
		fmt.Fprintln(&b, r.Rehearsal.sentence(r.B))
	}

	for _, action := range r.Actions {
		fmt.Fprintf(&b, "%s %s%s\n", r.sign(action.Verb), r.title(action, fmt.Sprintf("%q", action.Name)), r.outcome(action))
		if action.Verb != reconcile.Create {
			for _, change := range action.Changes {
				before, after := diffValues(change.Before, change.After)
				fmt.Fprintf(&b, "    %s: %s -> %s\n", change.Path, before, after)
			}
		}
		if cut := cutAnswers(action); cut != "" {
			fmt.Fprintf(&b, "    %s\n", cut)
		}
		for _, left := range action.Left {
			fmt.Fprintf(&b, "    %s\n", r.leftValue(left, action.Verb == reconcile.Create))
		}
	}

	for _, left := range r.Left {
		fmt.Fprintf(&b, "  %s %q is left alone: %s\n", kindWord(left.Kind), left.Name, r.sides(left.Reason))
		for _, attribute := range left.Attributes {
			fmt.Fprintf(&b, "    %s\n", r.leftValue(attribute, false))
		}
	}

	fmt.Fprintln(&b, r.counts())
	_, err := io.WriteString(w, b.String())
	return err
}

// leftValue says that a value of B still differs from that of A afterwards. An object that is
// created has no value that could stay.
func (r syncReport) leftValue(left reconcile.Attribute, isNew bool) string {
	valueA, valueB := diffValues(left.A, left.B)
	switch {
	case isNew && left.B == nil:
		return fmt.Sprintf("%s is not copied: it is %s in %s", left.Path, valueA, r.A)
	case isNew:
		return fmt.Sprintf("%s is set to %s: it is %s in %s", left.Path, valueB, valueA, r.A)
	case left.B == nil:
		return fmt.Sprintf("%s stays without a value: it is %s in %s", left.Path, valueA, r.A)
	}
	return fmt.Sprintf("%s stays %s: it is %s in %s", left.Path, valueB, valueA, r.A)
}

// Markdown implements report.
func (r syncReport) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s onto %s\n\n%s\n", escape.MarkdownCode(r.A), escape.MarkdownCode(r.B), r.counts())
	if r.Rehearsal != nil {
		fmt.Fprintf(&b, "\n%s\n", markdownText(r.Rehearsal.sentence(r.B)))
	}

	var sections []string
	for _, action := range r.Actions {
		sections = append(sections, r.section(action))
	}
	for _, left := range r.Left {
		var section strings.Builder
		fmt.Fprintf(&section, "\n#### %s %s is left alone\n\n%s\n", kindWord(left.Kind), markdownText(left.Name), markdownText(r.sides(left.Reason)))
		r.leftTable(&section, left.Attributes)
		sections = append(sections, section.String())
	}

	// Sections that do not fit into a comment are counted.
	for i, section := range sections {
		if b.Len()+len(section) > markdownLimit-200 {
			fmt.Fprintf(&b, "\n%s more: too long for a comment.\n", count(len(sections)-i, "object"))
			break
		}
		b.WriteString(section)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// section is the Markdown of one action.
func (r syncReport) section(action reconcile.Action) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n#### %s %s%s\n", r.sign(action.Verb), markdownText(r.title(action, action.Name)), markdownText(r.outcome(action)))
	if len(action.Changes) > 0 && action.Verb != reconcile.Create {
		b.WriteString("\n| attribute | before | after |\n|---|---|---|\n")
		for _, change := range action.Changes {
			before, after := diffValues(change.Before, change.After)
			fmt.Fprintf(&b, "| %s | %s | %s |\n", escape.MarkdownCell(change.Path), markdownText(before), markdownText(after))
		}
	}
	if cut := cutAnswers(action); cut != "" {
		fmt.Fprintf(&b, "\n%s\n", markdownText(cut))
	}
	r.leftTable(&b, action.Left)
	return b.String()
}

// cutAnswers says which answers an action cuts off or deletes; empty for none.
func cutAnswers(action reconcile.Action) string {
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

// leftTable lists the values that still differ afterwards.
func (r syncReport) leftTable(b *strings.Builder, left []reconcile.Attribute) {
	if len(left) == 0 {
		return
	}
	fmt.Fprintf(b, "\n| left | %s | %s |\n|---|---|---|\n", markdownText(r.A), markdownText(r.B))
	for _, attribute := range left {
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
func (r syncReport) title(action reconcile.Action, name string) string {
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
func (r syncReport) outcome(action reconcile.Action) string {
	switch {
	case action.Outcome == reconcile.Planned:
		return ""
	case action.Reason != "":
		return fmt.Sprintf(": %s: %s", action.Outcome, action.Reason)
	}
	return ": " + string(action.Outcome)
}

// sides replaces A and B in a reason by the names of the sides.
func (r syncReport) sides(reason string) string {
	return strings.NewReplacer("only B", "only "+r.B, "in A ", "in "+r.A+" ").Replace(reason)
}

// counts is the line with the summary.
func (r syncReport) counts() string {
	if len(r.Actions) == 0 {
		return fmt.Sprintf("Nothing to do: %d the same, %d left alone.", r.Same, len(r.Left))
	}
	var parts []string
	for _, outcome := range []reconcile.Outcome{
		reconcile.Planned, reconcile.Done, reconcile.Skipped, reconcile.Failed, reconcile.Refused, reconcile.NotRun,
	} {
		if n := r.Count(outcome); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, outcome))
		}
	}
	return fmt.Sprintf("%s; %d left alone, %d the same.", strings.Join(parts, ", "), len(r.Left), r.Same)
}
