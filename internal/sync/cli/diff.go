package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// newDiff returns the verb that compares two sources.
func newDiff(p *program) *cobra.Command {
	failOn := "missing,extra,changed"
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two sources",
		Long: `Compare two sources: live, live:NAME, file:PATH, tf:DIR, code:DIR or plan:FILE.
Nothing is changed. A file is a snapshot, or surveys that people write as YAML (.yaml, .yml): what
they leave out, and what the service trims or cleans, is no difference.

Objects are matched by id if both sources have it in the same project, else by name. An
object of A that B lacks is missing; an object of B that A lacks is extra. Questions are
matched as a plan matches them. Feature flags of two projects are compared by key, actions
by name. When surveys were launched and stopped in two projects is no difference if they have the
same status, unless --fail-on names dates.

A survey of a YAML file that PostHog stopped at its responses_limit is no difference, and the report
names it.

Code is planned on the environment of the live source that it is compared with, unless
--env names another.`,
		Example: `  # What a promotion to production would change
  posthog-sync diff live:staging live:production

  # Drift, as a report that fails the job
  posthog-sync diff code:. live --format markdown

  # Fail for edits alone
  posthog-sync diff tf:. live --fail-on changed`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.diff(cmd.Context(), args[0], args[1], failOn)
		},
	}
	cmd.Flags().StringVar(&failOn, "fail-on", failOn, "differences that end with exit code 2: of missing, extra, changed, and dates, separated by commas; or none")
	return cmd
}

// diff compares two sources and reports what differs.
func (p *program) diff(ctx context.Context, nameA, nameB, failOn string) error {
	fails, err := parseFailOn(failOn)
	if err != nil {
		return err
	}
	sources := [2]source.Source{}
	for i, name := range []string{nameA, nameB} {
		if sources[i], err = source.Parse(name); err != nil {
			return err
		}
	}

	loader := p.loader(p.selection())
	loader.as = func(o source.Object) source.Object {
		if !sources[0].IsWritten() && !sources[1].IsWritten() {
			o.SurveyResponse = nil // its attributes are compared
		}
		return o.Shelved()
	}
	if loader.named == "" {
		loader.named = planEnvironment(sources)
	}
	loaded := [2][]source.Object{}
	for i, s := range sources {
		if loaded[i], err = loader.load(ctx, s); err != nil {
			return err
		}
	}

	answers, err := p.compareAnswers(sources[0], sources[1])
	if err != nil {
		return err
	}
	var count func(context.Context, string) responses.Number
	if answers != nil {
		count = answers.log.counter.Of
	}
	stopped, err := reconcile.Settle(ctx, loaded[0], loaded[1], p.now(), count)
	if err != nil {
		return err
	}
	if answers != nil {
		for i := range sources {
			if err := answers.lookUp(ctx, loaded[i], loaded[1-i]); err != nil {
				return err
			}
		}
	}

	report := diffReport{Format: 1, A: sources[0].String(), B: sources[1].String(), Stopped: stopped}
	report.Objects, report.Summary = reconcile.Diff(p.withoutRemoved(loaded[0]), p.withoutRemoved(loaded[1]), slices.Contains(fails, datesDiffer))
	if answers != nil {
		if report.Detached, err = answers.inObjects(ctx, report.Objects); err != nil {
			return err
		}
	}
	if err := p.print(report); err != nil {
		return err
	}

	if slices.ContainsFunc(report.Objects, func(o reconcile.Object) bool { return slices.Contains(fails, o.Change) }) {
		return &differencesError{fmt.Sprintf("%s and %s differ", report.A, report.B)}
	}
	return nil
}

// planEnvironment is the environment that the code of one source is planned on: that of the
// other source, if it is live and names one.
func planEnvironment(sources [2]source.Source) string {
	for i, s := range sources {
		if other := sources[1-i]; s.Form == source.Live && other.Form != source.Live {
			return s.Argument
		}
	}
	return ""
}

// datesDiffer is the word of --fail-on for the dates of surveys that have the same status in two
// projects. They are compared for it, and make a survey a changed one.
const datesDiffer reconcile.Change = "dates"

// parseFailOn reads the value of --fail-on.
func parseFailOn(text string) ([]reconcile.Change, error) {
	if text == "none" {
		return nil, nil
	}

	var changes []reconcile.Change
	for word := range strings.SplitSeq(text, ",") {
		change := reconcile.Change(strings.TrimSpace(word))
		if !slices.Contains([]reconcile.Change{reconcile.Missing, reconcile.Extra, reconcile.Changed, datesDiffer}, change) {
			return nil, fmt.Errorf("--fail-on %q: %q is not one of missing, extra, changed, and dates", text, word)
		}
		changes = append(changes, change)
		if change == datesDiffer {
			changes = append(changes, reconcile.Changed)
		}
	}
	return changes, nil
}
