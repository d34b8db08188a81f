package reconcile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// References are the flags of the command line that map references of the surveys of A to objects
// of B, as A=B.
type References struct{ Flags, Actions, Cohorts []string }

// parsePairs reads the values of a flag of the form A=B. Names of actions may contain "=",
// so the last one separates.
func parsePairs(flag string, values []string) (map[string]string, error) {
	pairs := map[string]string{}
	for _, value := range values {
		i := strings.LastIndex(value, "=")
		if i < 1 || i == len(value)-1 {
			return nil, fmt.Errorf("--%s %q: it must be A=B", flag, value)
		}
		pairs[value[:i]] = value[i+1:]
	}
	return pairs, nil
}

// parseIDs reads the values of a flag of the form A=ID.
func parseIDs(flag string, values []string) (map[string]int64, error) {
	pairs, err := parsePairs(flag, values)
	if err != nil {
		return nil, err
	}
	ids := map[string]int64{}
	for name, text := range pairs {
		if ids[name], err = strconv.ParseInt(text, 10, 64); err != nil {
			return nil, fmt.Errorf("--%s %s=%s: %q is not an id", flag, name, text, text)
		}
	}
	return ids, nil
}

// warnUnused warns of mappings from objects that no survey of A refers to: the name may be
// misspelt.
func warnUnused[T any](r *references, flag string, mapping map[string]T, isUsed func(name string) bool) {
	for _, name := range slices.Sorted(maps.Keys(mapping)) {
		if !isUsed(name) {
			r.warn("Warning: --%s %s=%v has no effect: no survey of %s that takes part refers to %q.", flag, name, mapping[name], r.A, name)
		}
	}
}

// FindReferences finds the objects of B for those that the surveys of A refer to by id, and notes
// them in the options. All missing ones are reported in one error, before anything is written.
// Warn is told of what is given and refers to nothing.
func (o *Options) FindReferences(ctx context.Context, c *client.Client, desired, current []side.Object, given References, warn func(format string, args ...any)) error {
	r := references{
		Options: o, client: c, current: current, given: given, warn: warn,
		flags: map[string][]string{}, dependencies: map[string][]string{}, actions: map[survey.Action][]string{}, cohorts: map[int64][]string{},
	}
	for _, one := range desired {
		if one.Kind == side.Survey && (o.selects(one.Name) || o.Match == ByID) {
			r.add(one.Name, survey.ReferencesOf(*one.SurveyResponse))
		}
	}

	var missing []string
	for _, find := range []func(context.Context) ([]string, error){r.findFlags, r.findActions, r.findCohorts} {
		lines, err := find(ctx)
		if err != nil {
			return err
		}
		missing = append(missing, lines...)
	}
	if len(missing) > 0 {
		return errors.New(strings.Join(missing, "\n"))
	}
	return nil
}

// references are the objects that the surveys of A refer to, with the names of the surveys.
type references struct {
	*Options
	client  *client.Client
	current []side.Object
	given   References
	warn    func(format string, args ...any)
	// flags are by key, cohorts by id, and the flags that targeting depends on by id as text.
	flags        map[string][]string
	dependencies map[string][]string
	actions      map[survey.Action][]string
	cohorts      map[int64][]string
}

// add adds the references of a survey. Within one project the ids of actions and cohorts
// stay.
func (r *references) add(name string, refs survey.References) {
	for _, key := range refs.Flags {
		r.flags[key] = append(r.flags[key], name)
	}
	if r.SameProject {
		return
	}

	for _, action := range refs.Actions {
		r.actions[action] = append(r.actions[action], name)
	}
	for _, id := range refs.FlagDependencies {
		r.dependencies[id] = append(r.dependencies[id], name)
	}
	for _, id := range refs.Cohorts {
		r.cohorts[id] = append(r.cohorts[id], name)
	}
}

// findFlags finds the flags of B by key. It returns a line for each that is missing.
func (r *references) findFlags(ctx context.Context) ([]string, error) {
	mapping, err := parsePairs("map-flag", r.given.Flags)
	if err != nil {
		return nil, err
	}
	warnUnused(r, "map-flag", mapping, func(key string) bool { return len(r.flags[key]) > 0 || len(r.dependencies[key]) > 0 })
	if len(r.flags)+len(r.dependencies) == 0 {
		return nil, nil
	}
	known, isComplete, err := r.flagIDs(ctx)
	if err != nil {
		return nil, err
	}

	var missing []string
	r.Flags, r.FlagKeys = map[string]int64{}, map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(r.flags)) {
		keyInB := key
		if mapped, ok := mapping[key]; ok {
			keyInB = mapped
		}
		id, ok := known[keyInB]
		if ok {
			r.Flags[key], r.FlagKeys[key] = id, keyInB
			continue
		}

		line := fmt.Sprintf("%s has no feature flag %q, which %s: create it there, or name another one with --map-flag %s=KEY", r.B, keyInB, surveysThat(r.flags[key], "needs", "need"), key)
		if !isComplete {
			line += "; the service did not list its flags to this key (scope feature_flag:read), so only those that its surveys show are known"
		}
		missing = append(missing, line)
	}
	return append(missing, r.findDependencies(mapping, known)...), nil
}

// findDependencies takes the flags that targeting depends on from --map-flag: filters name
// them by number, and no response has their keys. It returns a line for each that is
// missing.
func (r *references) findDependencies(mapping map[string]string, known map[string]int64) []string {
	var missing []string
	r.FlagIDs = map[int64]int64{}
	for _, number := range slices.Sorted(maps.Keys(r.dependencies)) {
		id, err := strconv.ParseInt(number, 10, 64)
		key, isMapped := mapping[number]
		here, isThere := known[key]
		switch surveys := surveysThat(r.dependencies[number], "depends", "depend"); {
		case err != nil || !isMapped:
			missing = append(missing, fmt.Sprintf("the targeting of %s on the feature flag %s, whose number means nothing in %s: name the one there with --map-flag %s=KEY",
				surveys, number, r.B, number))
		case !isThere:
			missing = append(missing, fmt.Sprintf("%s has no feature flag %q, on which the targeting of %s: create it there, or name another one with --map-flag %s=KEY",
				r.B, key, surveys, number))
		default:
			r.FlagIDs[id] = here
		}
	}
	return missing
}

// flagsPerPage is the page size that is asked for; the service may return smaller pages.
const flagsPerPage = 500

// flagIDs are the ids of the feature flags of B by key. If the service does not list them,
// they are those that its surveys show, and incomplete.
func (r *references) flagIDs(ctx context.Context) (ids map[string]int64, isComplete bool, err error) {
	ids = map[string]int64{}
	for flag, err := range r.client.FeatureFlags(ctx, r.ProjectID, client.FlagOptions{ListOptions: client.ListOptions{PageSize: flagsPerPage}}) {
		switch {
		case client.IsForbidden(err), client.IsNotFound(err), client.IsEndpointNotFound(err):
			return r.shownFlags(), false, nil
		case err != nil:
			return nil, false, fmt.Errorf("cannot read the feature flags of project %s: %w", r.ProjectID, err)
		}
		if flag.Key != nil && flag.ID != nil {
			ids[*flag.Key] = *flag.ID
		}
	}
	return ids, true, nil
}

// shownFlags are the ids of the feature flags that the surveys of B refer to, by key.
func (r *references) shownFlags() map[string]int64 {
	ids := map[string]int64{}
	for _, o := range r.current {
		if o.SurveyResponse == nil {
			continue
		}
		linked, errLinked := o.SurveyResponse.LinkedFlag.Get()
		targeting, errTargeting := o.SurveyResponse.TargetingFlag.Get()
		for _, field := range []struct {
			flag api.FeatureFlag
			err  error
		}{{linked, errLinked}, {targeting, errTargeting}} {
			isDeleted := field.flag.Deleted != nil && *field.flag.Deleted
			if field.err == nil && field.flag.Key != nil && field.flag.ID != nil && !isDeleted {
				ids[*field.flag.Key] = *field.flag.ID
			}
		}
	}
	return ids
}

// findActions finds the actions of B by name among those that its surveys show.
func (r *references) findActions(context.Context) ([]string, error) {
	mapping, err := parseIDs("map-action", r.given.Actions)
	if err != nil {
		return nil, err
	}
	warnUnused(r, "map-action", mapping, func(name string) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(r.actions)), func(a survey.Action) bool { return slices.Contains(mappedBy(a), name) })
	})

	known := r.shownActions()
	var missing []string
	r.Actions = map[int64]int64{}
	for action, names := range r.actions {
		if id, ok := mappedAction(mapping, action); ok {
			r.Actions[action.ID] = id
			continue
		}
		switch ids := known[action.Name]; {
		case len(ids) == 1:
			r.Actions[action.ID] = ids[0]
		case action.Name == "":
			missing = append(missing, fmt.Sprintf("%s the action %d, which has no name to find it by in %s: give its id there with --map-action %d=ID",
				surveysThat(names, "waits for", "wait for"), action.ID, r.B, action.ID))
		case len(ids) > 1:
			missing = append(missing, fmt.Sprintf("%s has several actions %q, and %s one: say which with --map-action %q",
				r.B, action.Name, surveysThat(names, "waits for", "wait for"), action.Name+"=ID"))
		default:
			missing = append(missing, fmt.Sprintf("no survey of %s shows an action %q, which %s: give its id there with --map-action %q",
				r.B, action.Name, surveysThat(names, "waits for", "wait for"), action.Name+"=ID"))
		}
	}
	slices.Sort(missing)
	return missing, nil
}

// shownActions are the ids of the actions that the surveys of B wait for, by name. An action
// without a name cannot be found by it.
func (r *references) shownActions() map[string][]int64 {
	ids := map[string][]int64{}
	for _, o := range r.current {
		if o.SurveyResponse == nil {
			continue
		}
		for _, action := range survey.ReferencesOf(*o.SurveyResponse).Actions {
			if action.Name != "" && !slices.Contains(ids[action.Name], action.ID) {
				ids[action.Name] = append(ids[action.Name], action.ID)
			}
		}
	}
	return ids
}

// mappedBy are the names by which --map-action may mean an action of A: its name, or else
// its id.
func mappedBy(action survey.Action) []string {
	id := strconv.FormatInt(action.ID, 10)
	if action.Name == "" {
		return []string{id}
	}
	return []string{action.Name, id}
}

// mappedAction is the id in B that --map-action gives for an action of A.
func mappedAction(mapping map[string]int64, action survey.Action) (id int64, ok bool) {
	for _, name := range mappedBy(action) {
		if id, ok = mapping[name]; ok {
			return id, true
		}
	}
	return 0, false
}

// findCohorts takes the cohorts of B from --map-cohort: no response has their names.
func (r *references) findCohorts(context.Context) ([]string, error) {
	mapping, err := parseIDs("map-cohort", r.given.Cohorts)
	if err != nil {
		return nil, err
	}
	warnUnused(r, "map-cohort", mapping, func(id string) bool {
		number, err := strconv.ParseInt(id, 10, 64)
		return err == nil && len(r.cohorts[number]) > 0
	})

	var missing []string
	r.Cohorts = map[int64]int64{}
	for _, id := range slices.Sorted(maps.Keys(r.cohorts)) {
		mapped, ok := mapping[strconv.FormatInt(id, 10)]
		if !ok {
			missing = append(missing, fmt.Sprintf("the targeting of %s names cohort %d, whose number means nothing in %s: give the one there with --map-cohort %d=ID",
				SurveysOf(r.cohorts[id]), id, r.B, id))
			continue
		}
		r.Cohorts[id] = mapped
	}
	return missing, nil
}

// surveysThat is a clause about surveys: its subject, and the verb that fits their number.
func surveysThat(names []string, one, many string) string {
	subject := SurveysOf(names)
	if len(slices.Compact(slices.Sorted(slices.Values(names)))) > 1 {
		return subject + " " + many
	}
	return subject + " " + one
}

// SurveysOf names surveys in a sentence.
func SurveysOf(names []string) string {
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) == 1 {
		return fmt.Sprintf("survey %q", names[0])
	}
	return fmt.Sprintf("survey %q and %s", names[0], responses.Count(len(names)-1, "other"))
}
