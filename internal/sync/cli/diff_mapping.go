package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

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
