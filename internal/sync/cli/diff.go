package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// newDiff returns the verb that compares two sides.
func newDiff(p *program) *cobra.Command {
	failOn := "missing,extra,changed"
	var maps syncMaps
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two sides",
		Long: `Compare two sides: live, live:NAME, file:PATH, tf:DIR, code:DIR or plan:FILE.
Nothing is changed.

Objects are matched by id if both sides have it in the same project, else by name. An
object of A that B lacks is missing; an object of B that A lacks is extra. Questions are
matched as a plan matches them. Feature flags of two projects are compared by key, actions
by name. What --map-flag, --map-action and --map-cohort map, as for sync, is no difference;
--map-flag takes ID=KEY, too, for flags of code.

Code is planned on the environment of the live side that it is compared with, unless
--env names another.`,
		Example: `  # What a promotion to production would change
  posthog-sync diff live:staging live:production

  # The same, where production has another flag for one of staging
  posthog-sync diff live:staging live:production --map-flag beta=beta-eu

  # Drift, as a report that fails the job
  posthog-sync diff code:. live --format markdown

  # Fail for edits alone
  posthog-sync diff tf:. live --fail-on changed`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.diff(cmd.Context(), args[0], args[1], failOn, maps)
		},
	}
	maps.add(cmd)
	cmd.Flags().StringVar(&failOn, "fail-on", failOn, "differences that end with exit code 2: of missing, extra and changed, separated by commas; or none")
	return cmd
}

// diff compares two sides and reports what differs.
func (p *program) diff(ctx context.Context, nameA, nameB, failOn string, maps syncMaps) error {
	fails, err := parseFailOn(failOn)
	if err != nil {
		return err
	}
	sides := [2]side.Side{}
	for i, name := range []string{nameA, nameB} {
		if sides[i], err = side.Parse(name); err != nil {
			return err
		}
	}

	loader := p.loader(p.selection())
	if loader.named == "" {
		loader.named = planEnvironment(sides)
	}
	loaded := [2][]side.Object{}
	for i, s := range sides {
		if loaded[i], err = loader.load(ctx, s); err != nil {
			return err
		}
	}

	for i := range loaded {
		loaded[i] = p.withoutRemoved(loaded[i])
	}

	mapping, err := p.mapping(ctx, maps, sides, loaded)
	if err != nil {
		return err
	}
	report := diffReport{Format: 1, A: sides[0].String(), B: sides[1].String()}
	report.Objects, report.Summary = reconcile.Diff(loaded[0], loaded[1], mapping)
	if err := p.print(report); err != nil {
		return err
	}

	if slices.ContainsFunc(report.Objects, func(o reconcile.Object) bool { return slices.Contains(fails, o.Change) }) {
		return &differencesError{fmt.Sprintf("%s and %s differ", report.A, report.B)}
	}
	return nil
}

// planEnvironment is the environment that the code of one side is planned on: that of the
// other side, if it is live and names one.
func planEnvironment(sides [2]side.Side) string {
	for i, s := range sides {
		if other := sides[1-i]; s.Form == side.Live && other.Form != side.Live {
			return s.Argument
		}
	}
	return ""
}

// parseFailOn reads the value of --fail-on.
func parseFailOn(text string) ([]reconcile.Change, error) {
	if text == "none" {
		return nil, nil
	}

	var changes []reconcile.Change
	for word := range strings.SplitSeq(text, ",") {
		change := reconcile.Change(strings.TrimSpace(word))
		if !slices.Contains([]reconcile.Change{reconcile.Missing, reconcile.Extra, reconcile.Changed}, change) {
			return nil, fmt.Errorf("--fail-on %q: %q is not one of missing, extra and changed", text, word)
		}
		changes = append(changes, change)
	}
	return changes, nil
}

// mapping reads the flags that map references for diff. One that no survey of A refers to may
// be misspelt, and is warned of.
func (p *program) mapping(ctx context.Context, given syncMaps, sides [2]side.Side, loaded [2][]side.Object) (mapping reconcile.Mapping, err error) {
	if mapping.Flags, err = parsePairs("map-flag", given.flags); err != nil {
		return mapping, err
	}
	if mapping.Actions, err = parseIDs("map-action", given.actions); err != nil {
		return mapping, err
	}
	cohorts, err := parseIDs("map-cohort", given.cohorts)
	if err != nil {
		return mapping, err
	}
	mapping.Cohorts = map[int64]int64{}
	for text, idInB := range cohorts {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return mapping, fmt.Errorf("--map-cohort %s=%d: %q is not an id", text, idInB, text)
		}
		mapping.Cohorts[id] = idInB
	}

	r := &references{job: &syncJob{program: p, a: sides[0], b: sides[1], current: loaded[1]}}
	has := func(in func([]side.Object, string) bool) func(string) bool {
		return func(name string) bool { return in(loaded[0], name) }
	}
	warnUnused(r, "map-flag", mapping.Flags, has(reconcile.HasFlag))
	warnUnused(r, "map-action", mapping.Actions, has(reconcile.HasAction))
	warnUnused(r, "map-cohort", cohorts, has(reconcile.HasCohort))
	mapping.FlagIDs, err = r.job.dependencies(ctx, mapping.Flags, loaded[0])
	return mapping, err
}

// dependencies are the ids in B of the flags on which targeting of A depends, and which are
// mapped by number.
func (j *syncJob) dependencies(ctx context.Context, mapping map[string]string, objects []side.Object) (map[int64]int64, error) {
	ids := map[int64]int64{}
	var known map[string]int64
	for _, number := range slices.Sorted(maps.Keys(mapping)) {
		id, err := strconv.ParseInt(number, 10, 64)
		if err != nil || !reconcile.DependsOnFlag(objects, number) {
			continue // the key of a flag
		}
		if known == nil {
			if known, err = j.flagsOfB(ctx); err != nil {
				return nil, err
			}
		}
		here, ok := known[mapping[number]]
		if !ok {
			return nil, fmt.Errorf("--map-flag %s=%s: %s has no feature flag %q, as far as it shows", number, mapping[number], j.b, mapping[number])
		}
		ids[id] = here
	}
	return ids, nil
}

// flagsOfB are the ids of the flags of B by key: those of the project if B is live, else
// those that its surveys show.
func (j *syncJob) flagsOfB(ctx context.Context) (ids map[string]int64, err error) {
	if j.b.Form != side.Live {
		return j.shownFlags(), nil
	}
	if j.live, err = j.liveSide(j.b.Argument, j.selection()); err != nil {
		return nil, err
	}
	ids, _, err = j.flagIDs(ctx)
	return ids, err
}
