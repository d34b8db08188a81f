package reconcile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// References contains the command-line flags that map references of A's surveys to objects of B.
type References struct {
	Flags            Pairs[string]
	Actions, Cohorts Pairs[int64]
}

// Pairs is a repeatable flag of the form A=B.
type Pairs[T string | int64] struct {
	values map[string]T
	// unused are the names of A that get has not looked up.
	unused map[string]bool
}

// String implements pflag.Value.
func (p *Pairs[T]) String() string { return "" }

// Type implements pflag.Value.
func (p *Pairs[T]) Type() string { return "stringArray" }

// Set implements pflag.Value. Names of actions may contain "=", so the last "=" is the separator.
func (p *Pairs[T]) Set(text string) error {
	i := strings.LastIndex(text, "=")
	if i < 1 || i == len(text)-1 {
		return errors.New("it must be A=B")
	}
	if p.values == nil {
		p.values, p.unused = map[string]T{}, map[string]bool{}
	}
	name, value := text[:i], text[i+1:]
	p.unused[name] = true

	var given T
	switch into := any(&given).(type) {
	case *string:
		*into = value
	case *int64:
		id, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return fmt.Errorf("%q is not an id", value)
		}
		*into = id
	}
	p.values[name] = given
	return nil
}

// get returns the value of the first name that is mapped.
func (p *Pairs[T]) get(names ...string) (value T, ok bool) {
	for _, name := range names {
		if value, ok = p.values[name]; ok {
			delete(p.unused, name)
			return value, true
		}
	}
	return value, false
}

// FindReferences finds the objects of B that correspond to the IDs that A's surveys reference, and
// stores them in the options. It reports all missing flags in one error, before anything is written. A
// survey with another missing reference is refused later. FindReferences calls warn for mappings that
// no survey uses.
func (o *Options) FindReferences(ctx context.Context, c *client.Client, desired, current []source.Object, mappings References, warn func(format string, args ...any)) error {
	r := references{Options: o, client: c, current: current, flags: map[string][]string{}, numbers: map[int64][]string{}}
	o.Actions, o.Cohorts = map[int64]int64{}, map[int64]int64{}
	actions := r.shownActions()
	for _, object := range desired {
		if object.Kind != source.Survey || !o.selects(object.Name) && o.Match != ByID {
			continue
		}
		refs := survey.FindReferences(*surveyResponse(object))
		for _, key := range refs.Flags {
			r.flags[key] = append(r.flags[key], object.Name)
		}
		if object.Stated != nil {
			for _, id := range refs.UnknownFlags {
				r.numbers[id] = append(r.numbers[id], object.Name)
			}
		}
		if o.SameProject {
			continue // action and cohort IDs stay the same
		}

		for _, action := range refs.Actions {
			if id, ok := mappings.Actions.get(action.Name, strconv.FormatInt(action.ID, 10)); ok {
				o.Actions[action.ID] = id
			} else if ids := actions[action.Name]; len(ids) == 1 {
				o.Actions[action.ID] = ids[0]
			}
		}
		for _, cohort := range refs.Cohorts {
			if id, ok := mappings.Cohorts.get(strconv.FormatInt(cohort, 10)); ok {
				o.Cohorts[cohort] = id
			}
		}
	}

	err := r.findFlags(ctx, mappings.Flags)
	warnUnusedPairs(o, "map-flag", mappings.Flags, warn)
	warnUnusedPairs(o, "map-action", mappings.Actions, warn)
	warnUnusedPairs(o, "map-cohort", mappings.Cohorts, warn)
	return err
}

// warnUnusedPairs warns about names that no survey of A references, because they may be misspelled.
func warnUnusedPairs[T string | int64](o *Options, flag string, pairs Pairs[T], warn func(format string, args ...any)) {
	for _, name := range slices.Sorted(maps.Keys(pairs.unused)) {
		warn("Warning: --%s %s=%v has no effect: no survey of %s that takes part refers to %q.", flag, name, pairs.values[name], o.A, name)
	}
}

// references finds the flags that A's surveys reference.
type references struct {
	*Options
	client  *client.Client
	current []source.Object
	// flags maps keys to the names of the surveys. numbers maps flag IDs in B to the names of surveys
	// from a file.
	flags   map[string][]string
	numbers map[int64][]string
}

// findFlags finds the flags of B by key, and verifies that the flags exist that a file references by
// ID.
func (r *references) findFlags(ctx context.Context, pairs Pairs[string]) error {
	featureFlags := r.shownFlags()
	maps.DeleteFunc(r.numbers, func(id int64, _ []string) bool {
		return slices.ContainsFunc(featureFlags, func(flag api.FeatureFlag) bool { return *flag.ID == id })
	})
	if len(r.flags) == 0 && len(r.numbers) == 0 {
		return nil
	}

	idByKey, isComplete, err := r.flagIDs(ctx, featureFlags)
	if err != nil {
		return err
	}

	var missing []string
	r.Flags, r.FlagKeys = map[string]int64{}, map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(r.flags)) {
		keyInB, isMapped := pairs.get(key)
		if !isMapped {
			keyInB = key
		}
		if id, ok := idByKey[keyInB]; ok {
			r.Flags[key], r.FlagKeys[key] = id, keyInB
			continue
		}

		line := fmt.Sprintf("%s has no feature flag %q, to which %s refers: create it there, or name another one with --map-flag %s=KEY",
			r.B, keyInB, NameSurveys(r.flags[key]), key)
		if !isComplete {
			line = fmt.Sprintf("whether %s has feature flag %q, to which %s refers, is not known: no survey there shows it, and PostHog did not list the flags to this key. "+
				"Add the scope feature_flag:read to the key", r.B, keyInB, NameSurveys(r.flags[key]))
		}
		missing = append(missing, line)
	}

	ids := slices.Collect(maps.Values(idByKey))
	for _, id := range slices.Sorted(maps.Keys(r.numbers)) {
		if isComplete && !slices.Contains(ids, id) {
			missing = append(missing, fmt.Sprintf("%s has no feature flag with the id %d, to which %s refers: name one that it has, or create it there first",
				r.B, id, NameSurveys(r.numbers[id])))
		}
	}

	if len(missing) > 0 {
		return errors.New(strings.Join(missing, "\n"))
	}
	return nil
}

// flagsPerPage is the requested page size. PostHog may return smaller pages.
const flagsPerPage = 500

// flagIDs returns the IDs of B's feature flags by key. It combines the flags that PostHog lists with
// those that B's surveys show, because PostHog does not list flags that a survey uses for its
// targeting. The result is incomplete if the API key must not list flags.
func (r *references) flagIDs(ctx context.Context, featureFlags []api.FeatureFlag) (ids map[string]int64, isComplete bool, err error) {
	ids = map[string]int64{}
	for _, flag := range featureFlags {
		isDeleted := flag.Deleted != nil && *flag.Deleted
		if flag.Key != nil && !isDeleted {
			ids[*flag.Key] = *flag.ID
		}
	}

	for flag, err := range r.client.FeatureFlags(ctx, r.ProjectID, client.FlagOptions{ListOptions: client.ListOptions{PageSize: flagsPerPage}}) {
		switch {
		case client.IsForbidden(err), client.IsNotFound(err), client.IsEndpointNotFound(err):
			return ids, false, nil
		case err != nil:
			return nil, false, fmt.Errorf("cannot read the feature flags of project %s: %w", r.ProjectID, err)
		}
		if flag.Key != nil && flag.ID != nil {
			ids[*flag.Key] = *flag.ID
		}
	}
	return ids, true, nil
}

// shownFlags returns the feature flags that B's surveys reference, including deleted ones.
func (r *references) shownFlags() []api.FeatureFlag {
	var shown []api.FeatureFlag
	for _, o := range r.current {
		response := o.Whole().SurveyResponse
		if response == nil {
			continue
		}
		for _, field := range []nullable.Nullable[api.FeatureFlag]{response.LinkedFlag, response.TargetingFlag} {
			if flag, err := field.Get(); err == nil && flag.ID != nil {
				shown = append(shown, flag)
			}
		}
	}
	return shown
}

// shownActions returns the IDs of the actions that B's surveys wait for, by name. Actions without a
// name are left out.
func (r *references) shownActions() map[string][]int64 {
	ids := map[string][]int64{}
	for _, o := range r.current {
		response := o.Whole().SurveyResponse
		if response == nil {
			continue
		}
		for _, action := range survey.FindReferences(*response).Actions {
			if action.Name != "" && !slices.Contains(ids[action.Name], action.ID) {
				ids[action.Name] = append(ids[action.Name], action.ID)
			}
		}
	}
	return ids
}

// NameSurveys lists survey names in a sentence.
func NameSurveys(names []string) string {
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) == 1 {
		return fmt.Sprintf("survey %q", names[0])
	}
	return fmt.Sprintf("survey %q and %s", names[0], responses.Count(len(names)-1, "other"))
}
