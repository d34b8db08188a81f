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

// References contains the command-line flags that map references in A's surveys to objects in B.
type References struct {
	Flags            Pairs[string]
	Actions, Cohorts Pairs[int64]
}

// Pairs is a repeatable flag of the form A=B.
type Pairs[T string | int64] struct {
	values map[string]T
	// unused contains the names in A that get has not looked up.
	unused map[string]bool
}

// String implements pflag.Value.
func (p *Pairs[T]) String() string { return "" }

// Type implements pflag.Value.
func (p *Pairs[T]) Type() string { return "stringArray" }

// Set implements pflag.Value. It splits at the last "=", because action names may contain "=".
func (p *Pairs[T]) Set(text string) error {
	i := strings.LastIndex(text, "=")
	if i < 1 || i == len(text)-1 {
		return errors.New("must have the form A=B")
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
			return fmt.Errorf("%q is not an ID", value)
		}
		*into = id
	}
	p.values[name] = given
	return nil
}

// get returns the value of the first name that has a mapping.
func (p *Pairs[T]) get(names ...string) (value T, ok bool) {
	for _, name := range names {
		if value, ok = p.values[name]; ok {
			delete(p.unused, name)
			return value, true
		}
	}
	return value, false
}

// FindReferences finds the objects in B that correspond to the IDs in A's surveys, and stores them in the
// options. It reports all missing flags in one error. Other missing references do not cause an error here:
// the plan refuses the surveys that contain them. FindReferences calls warn for mappings that no survey
// uses.
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
			continue // action and cohort IDs are the same within a project
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

// warnUnusedPairs warns about mapped names that none of A's surveys references, because they may be
// misspelled.
func warnUnusedPairs[T string | int64](o *Options, flag string, pairs Pairs[T], warn func(format string, args ...any)) {
	for _, name := range slices.Sorted(maps.Keys(pairs.unused)) {
		warn("Warning: --%s %s=%v has no effect: no synced survey of %s refers to %q.", flag, name, pairs.values[name], o.A, name)
	}
}

// references finds the flags that A's surveys reference.
type references struct {
	*Options
	client  *client.Client
	current []source.Object
	// flags maps flag keys to survey names. numbers maps flag IDs in B to the names of surveys from a file.
	flags   map[string][]string
	numbers map[int64][]string
}

// findFlags finds B's flags by key, and verifies that the flag IDs in a file exist.
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

		line := fmt.Sprintf("%s does not have the feature flag %q, to which %s refers. Create the flag there, or map it to another flag with --map-flag %s=KEY",
			r.B, keyInB, NameSurveys(r.flags[key]), key)
		if !isComplete {
			line = fmt.Sprintf("cannot find out whether %s has the feature flag %q, to which %s refers: no survey there uses it, and the API key cannot list flags. "+
				"Add the scope feature_flag:read to the key", r.B, keyInB, NameSurveys(r.flags[key]))
		}
		missing = append(missing, line)
	}

	ids := slices.Collect(maps.Values(idByKey))
	for _, id := range slices.Sorted(maps.Keys(r.numbers)) {
		if isComplete && !slices.Contains(ids, id) {
			missing = append(missing, fmt.Sprintf("%s does not have a feature flag with the ID %d, to which %s refers. Use the ID of an existing flag, or create the flag first",
				r.B, id, NameSurveys(r.numbers[id])))
		}
	}

	if len(missing) > 0 {
		return errors.New(strings.Join(missing, "\n"))
	}
	return nil
}

// flagsPerPage is the number of flags that a list request asks for. PostHog may return fewer.
const flagsPerPage = 500

// flagIDs maps the keys of B's feature flags to IDs. It combines the flags in PostHog's list with the
// flags in B's surveys, because the list omits flags that a survey uses for its targeting. The result is
// incomplete if the API key may not list flags.
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

// shownFlags returns the feature flags that B's surveys reference, including deleted flags.
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

// shownActions maps the names of actions in B's surveys to their IDs. It omits actions without names.
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

// NameSurveys joins survey names for a sentence.
func NameSurveys(names []string) string {
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) == 1 {
		return fmt.Sprintf("survey %q", names[0])
	}
	return fmt.Sprintf("survey %q and %s", names[0], responses.Count(len(names)-1, "other"))
}
