package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// The values of review's flag --fail-on.
const (
	failCutAnswers = "cut-answers"
	failLaunch     = "launch"
	failDelete     = "delete"
)

// newReview returns the verb that shows what a plan means to the people who answer.
func newReview(p *program) *cobra.Command {
	var failOn []string
	cmd := &cobra.Command{
		Use:   "review PLAN",
		Short: "Show what a plan means to the people who answer",
		Long: `Write one page of Markdown about a plan, for a pull request: which surveys are
launched, stopped or deleted, which questions are kept, edited, moved, new or dropped,
how many responses stay attached or are cut off, and the flow before and after.

PLAN is a saved plan or its JSON, as terraform show -json prints it. The numbers of
responses are read from the service; without access to it they are unknown.`,
		Example: `  # A page for a pull request
  terraform plan -out=p.tfplan
  posthog-sync review p.tfplan > review.md

  # Stop a pipeline that would cut answers off
  posthog-sync review p.tfplan --fail-on cut-answers,delete`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.review(cmd.Context(), args[0], failOn)
		},
	}
	cmd.Flags().StringSliceVar(&failOn, "fail-on", nil, "end with exit code 3 for any of cut-answers, launch, delete")
	return cmd
}

// review reviews a plan.
func (p *program) review(ctx context.Context, file string, failOn []string) error {
	for _, word := range failOn {
		if !slices.Contains([]string{failCutAnswers, failLaunch, failDelete}, word) {
			return fmt.Errorf("--fail-on %q: it must be cut-answers, launch or delete", word)
		}
	}

	selected := p.selection()
	plan, err := p.loader(selected).readPlan(ctx, file)
	if err != nil {
		return fmt.Errorf("plan:%s: %w", file, err)
	}
	changes, err := side.Changes(ctx, plan)
	if err != nil {
		return err
	}
	changes = slices.DeleteFunc(changes, func(c side.Change) bool { return !selected.selects(changedName(c)) })

	service := p.answerCounts()
	surveys, err := review.Plan(changes, service.numbers(ctx, changes))
	if err != nil {
		return err
	}
	service.setAdded(ctx, surveys)
	report := reviewReport{Format: 1, Surveys: surveys}
	if report.Surveys == nil {
		report.Surveys = []review.SurveyChange{}
	}
	if err := p.print(report); err != nil {
		return err
	}
	return report.refused(failOn)
}

func changedName(c side.Change) string {
	if c.After != nil {
		return c.After.Name
	}
	return c.Before.Name
}

// refused is the error for what --fail-on stops.
func (r reviewReport) refused(failOn []string) error {
	var reasons []string
	for _, survey := range r.Surveys {
		has := func(event review.Event) bool { return slices.Contains(survey.Events, event) }
		switch {
		case slices.Contains(failOn, failDelete) && (has(review.Deleted) || has(review.Replaced)):
			reasons = append(reasons, fmt.Sprintf("survey %q is deleted", survey.Name))
		case slices.Contains(failOn, failCutAnswers) && survey.CutsAnswers:
			reasons = append(reasons, fmt.Sprintf("answers of survey %q are cut off", survey.Name))
		case slices.Contains(failOn, failLaunch) && (has(review.Launched) || has(review.Resumed) || has(review.UnarchivedToRun)):
			reasons = append(reasons, fmt.Sprintf("survey %q is launched", survey.Name))
		case slices.Contains(failOn, failLaunch) && has(review.MayRun):
			reasons = append(reasons, fmt.Sprintf("survey %q may be launched", survey.Name))
		}
	}

	if len(reasons) == 0 {
		return nil
	}
	if len(reasons) > 10 {
		reasons = append(reasons[:10], "and more")
	}
	return &refusedError{"refused by --fail-on: " + strings.Join(reasons, ", ")}
}
