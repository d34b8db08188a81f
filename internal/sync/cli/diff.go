package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// newDiff returns the command that compares two sources.
func newDiff(p *program) *cobra.Command {
	failOn := "missing,extra,changed"
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare surveys and import apps from two sources",
		Long: `Compares source A with source B and lists what differs. This command changes nothing.

Sources:

    live, live:NAME   a PostHog project: the default environment, or one in posthog-sync.yaml
    file:PATH         a snapshot, or a YAML file of surveys (.yaml, .yml)
    tf:DIR            the Terraform state of a directory
    code:DIR          the Terraform configuration of a directory; runs a plan
    plan:FILE         a saved plan, or its JSON

The report uses these terms:

    missing   in A only
    extra     in B only
    changed   in both, with different values

How objects are matched:
  - By ID, if A and B belong to the same project. Otherwise, by name.
  - Questions are matched as in a Terraform plan.
  - Between projects, feature flags are matched by key and actions by name.
  - Between projects, dates do not count as differences between surveys with the same status, unless
    --fail-on contains dates.
  - In a YAML file, values that you omit, and values that PostHog trims or cleans, do not count as
    differences.
  - If a survey should run, and PostHog stopped it in B at its responses_limit, the report lists the
    survey, but does not count it as a difference.

Configuration (code:DIR) is planned against the environment of the live source. To use another one,
set --env.

Exit codes:

    0    no differences that --fail-on lists
    1    error
    2    differences that --fail-on lists
    130  interrupted`,
		Example: `  # Preview what a promotion to production would change
  posthog-sync diff live:staging live:production

  # Fail a CI job if PostHog and the configuration differ
  posthog-sync diff code:. live --format markdown

  # Fail only if an object changed, not if one was added or deleted
  posthog-sync diff tf:. live --fail-on changed`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.diff(cmd.Context(), args[0], args[1], failOn)
		},
	}
	cmd.Flags().StringVar(&failOn, "fail-on", failOn, "differences that cause exit code 2: missing, extra, changed, or dates, comma-separated; or none")
	return cmd
}

// diff compares two sources and reports the differences.
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
	loader.detached = map[string]identity.DetachedList{}
	loader.as = func(o source.Object) source.Object {
		if !sources[0].IsWritten() && !sources[1].IsWritten() {
			o.SurveyResponse = nil // diff compares only the attributes
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

	answers, err := p.compareAnswers(sources[0], sources[1], nil)
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
		other, current := loaded[0], loaded[1]
		if answers.isReversed {
			other, current = current, other
		}
		if err := answers.lookUpCopies(ctx, other, current); err != nil {
			return err
		}
		for i := range sources {
			if err := answers.lookUp(ctx, loaded[i], loaded[1-i], false); err != nil {
				return err
			}
		}
	}

	report := diffReport{Format: 1, A: sources[0].String(), B: sources[1].String(), Stopped: stopped}
	report.Objects, report.Summary = reconcile.Diff(p.dropRemovedApps(loaded[0]), p.dropRemovedApps(loaded[1]), slices.Contains(fails, datesDiffer))
	if answers != nil && !answers.isReversed && !slices.Contains(fails, datesDiffer) {
		var stopped []reconcile.Stopped
		report.Objects, report.Summary, stopped = reconcile.WithoutReachedLimits(ctx, report.Objects, report.Summary, count)
		report.Stopped = append(report.Stopped, stopped...)
	}
	if answers != nil {
		answers.kept = loader.detached
		if report.Detached, err = answers.inObjects(ctx, report.Objects, slices.Concat(loaded[0], loaded[1])); err != nil {
			return err
		}
		current := loaded[1]
		if answers.isReversed {
			current = loaded[0]
		}
		if report.Returned, err = answers.returnedInObjects(ctx, report.Objects, current); err != nil {
			return err
		}
	}
	if err := p.print(report); err != nil {
		return err
	}

	if slices.ContainsFunc(report.Objects, func(o reconcile.Object) bool { return slices.Contains(fails, o.Change) }) {
		return &differencesError{fmt.Sprintf("%s and %s differ", report.A, report.B)}
	}
	if slices.Contains(fails, reconcile.Changed) {
		return detachedError(report.Detached)
	}
	return nil
}

// planEnvironment returns the environment in which to plan a configuration. If the other source is
// live:NAME, that environment is NAME.
func planEnvironment(sources [2]source.Source) string {
	for i, s := range sources {
		if counterpart := sources[1-i]; s.Form == source.Live && counterpart.Form != source.Live {
			return s.Argument
		}
	}
	return ""
}

// datesDiffer is a value of --fail-on. With it, diff also compares the dates of surveys that have the
// same status in both projects, and reports surveys with different dates as changed.
const datesDiffer reconcile.Change = "dates"

// parseFailOn parses the value of --fail-on.
func parseFailOn(text string) ([]reconcile.Change, error) {
	if text == "none" {
		return nil, nil
	}

	var changes []reconcile.Change
	for word := range strings.SplitSeq(text, ",") {
		change := reconcile.Change(strings.TrimSpace(word))
		if !slices.Contains([]reconcile.Change{reconcile.Missing, reconcile.Extra, reconcile.Changed, datesDiffer}, change) {
			return nil, fmt.Errorf("--fail-on %q: %q is unknown. Use missing, extra, changed, or dates", text, word)
		}
		changes = append(changes, change)
		if change == datesDiffer {
			changes = append(changes, reconcile.Changed)
		}
	}
	return changes, nil
}
