package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/history"
)

// newHistory returns the verb that tells what happened to a survey.
func newHistory(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "history SURVEY",
		Short: "Show who edited a survey, and what each edit did to answers",
		Long: `Show the edits of a survey, oldest first, from the activity log: who, when and what, when
it was launched and stopped, and question by question what an edit did to answers.

  kept      the question has its id, and its answers
  retyped   it has its id, and answers to another type of question
  cut       it has another id: the answers so far are under the old one
  restored  it has an id again that it had before
  new       it has no answers yet
  removed   it is gone, and so are its answers from the survey

SURVEY is a name or an id. The key needs the scope activity_log:read. Where questions lost
their ids, posthog-sync repair gives them back.`,
		Example: `  # Who cut off the answers?
  posthog-sync history "Quarterly NPS"

  # For a pull request
  posthog-sync history "Quarterly NPS" --format markdown`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.history(cmd.Context(), args[0])
		},
	}
}

// history reports what happened to a survey.
func (p *program) history(ctx context.Context, name string) error {
	past, err := p.readPast(ctx, name, pastSources{})
	if err != nil {
		return err
	}
	if past.feedErr != nil {
		return fmt.Errorf("cannot tell the history of survey %q: %w", orEmpty(past.survey.Name), feedError(past.feedErr))
	}

	report := newHistoryReport(past)
	report.count(ctx, past)
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.print(report)
}

// feedError is the error of a feed that cannot be read, with what to do.
func feedError(err error) error {
	switch {
	case errors.Is(err, history.ErrNoFeed):
		return errors.New("this service keeps no activity log")
	case client.IsForbidden(err):
		return fmt.Errorf("%w. Its activity log needs the scope activity_log:read: give it to the key", err)
	}
	return err
}
