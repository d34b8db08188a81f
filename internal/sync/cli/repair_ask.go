package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/repair"
)

// ask has the person at the terminal decide what is not certain, shows what will be done, and
// does it when that is confirmed.
func (j *repairJob) ask(ctx context.Context, plan repair.Plan, options repair.Options) (repair.Plan, error) {
	j.progress.Close()
	for _, q := range plan.Questions {
		if q.Outcome != repair.Unresolved || len(choicesOf(q)) == 0 {
			continue
		}
		if chosen := j.choose(ctx, plan, q); chosen != "" {
			options.Decisions = append(options.Decisions, repair.Decision{Question: nameOf(q, plan), ID: chosen})
		}
	}

	plan, err := j.plan(ctx, options)
	if err != nil || plan.Count(repair.Planned) == 0 {
		return plan, err
	}
	if err := writeText(j.stderr, newRepairReport(j, plan)); err != nil {
		return plan, err
	}
	if j.confirm(ctx, fmt.Sprintf("Write back %s of survey %q?", count(plan.Count(repair.Planned), "id"), orEmpty(j.past.survey.Name))) {
		repair.Run(ctx, j.past.surveys, j.past.counter, &plan)
	}
	return plan, nil
}

// choicesOf are the ids that a question may get.
func choicesOf(q repair.Question) []repair.Candidate {
	if q.Code == repair.SharedID {
		return nil
	}
	if q.Old == nil {
		return q.Others
	}
	return append([]repair.Candidate{*q.Old}, q.Others...)
}

// choose asks for the id of a question. It is empty where the question is left.
func (j *repairJob) choose(ctx context.Context, plan repair.Plan, q repair.Question) string {
	choices := choicesOf(q)
	var text strings.Builder
	fmt.Fprintf(&text, "\nquestions[%d] %q has the id %s, and %s: %s\n", q.Index, q.Text, orNone(plan.Short(q.ID)), answersOf(q.Answers), repairWords[q.Code](q))
	for k, choice := range choices {
		fmt.Fprintf(&text, "  %d: %s, %q, %s (%s)\n", k+1, plan.Short(choice.ID), choice.Text, upTo(choice.Responses), matchWords[choice.Evidence])
	}
	_, _ = fmt.Fprint(j.stderr, escape.TerminalLines(text.String())+"Number of the id that it gets, or nothing to leave it: ")

	n, err := strconv.Atoi(j.readLine(ctx))
	if err != nil || n < 1 || n > len(choices) {
		return ""
	}
	return choices[n-1].ID
}
