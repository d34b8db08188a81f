package reconcile

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// The order of a plan follows from one rule of PostHog: survey names are unique within a project. A
// survey that takes the name of another survey must wait until the other survey is renamed or deleted.
// Actions therefore form a graph. Each name has one holder, so each action waits for at most one other
// action, and the graph consists only of chains and rings.
//
// A chain runs from its end. A ring, such as two surveys that swap names, has no end: one survey gets a
// temporary name first, which turns the ring into a chain. A temporary name costs one more request and
// is visible for a moment, so only one survey of each ring gets one. The name contains the survey's ID:
// if a run is interrupted, the name conflicts with no other survey and identifies its own, and the next
// run renames the survey like any other.
//
// A refused action keeps its survey's name, and therefore also refuses the actions that wait for it.
// The planner decides this before it orders anything, and repeats it until nothing changes. Otherwise,
// a plan could free a name that no other survey may take, or fail halfway with an error from PostHog.
//
// Within these constraints, the order is made for readers of the plan: removals come last, surveys come
// before apps, and the rest is sorted by name. The same two sources always produce the same plan.

// holders returns the surveys of B by name.
func (p *planner) holders() map[string]source.Object {
	holders := map[string]source.Object{}
	for _, object := range p.live {
		if object.Kind == source.Survey && strings.TrimSpace(object.Name) != "" {
			holders[strings.TrimSpace(object.Name)] = object
		}
	}
	return holders
}

// newName returns the name that an action gives to a survey, or an empty string if it does not set the
// name.
func newName(action Action) string {
	name, err := action.SurveyRequest.Name.Get()
	if action.Kind != source.Survey || err != nil {
		return ""
	}
	return strings.TrimSpace(name)
}

// freeing returns the index of the action that frees a survey's name, or -1 if no action does.
func (p *planner) freeing(id string) int {
	return slices.IndexFunc(p.actions, func(action Action) bool {
		return action.Kind == source.Survey && action.ID == id && action.Outcome != Refused &&
			(action.Verb == Delete || newName(action) != "")
	})
}

// orderActions returns the plan: removals last, surveys before apps, and each action after the actions
// that it waits for.
func (p *planner) orderActions(ctx context.Context) (Plan, error) {
	slices.SortStableFunc(p.actions, func(a, b Action) int {
		byRemoval := 0
		if a.Removes() != b.Removes() {
			byRemoval = map[bool]int{false: -1, true: 1}[a.Removes()]
		}
		return cmp.Or(byRemoval, cmp.Compare(b.Kind, a.Kind), cmp.Compare(a.Name, b.Name))
	})
	waits, err := p.breakCycles(ctx, p.waits())
	if err != nil {
		return Plan{}, err
	}

	plan := Plan{Actions: p.sortActions(waits), Skipped: p.skipped, Same: p.same, AppIDs: map[string]bool{}}
	for _, object := range p.live {
		if object.Kind == source.App {
			plan.AppIDs[object.ID] = true
		}
	}
	return plan, nil
}

// sortActions sorts the actions topologically: depth first along the actions that each one waits for.
func (p *planner) sortActions(waits [][]int) []Action {
	sorted := []Action{}
	positions := map[int]int{}
	var visit func(i int)
	visit = func(i int) {
		if _, done := positions[i]; done {
			return
		}
		action := p.actions[i]
		for _, first := range waits[i] {
			visit(first)
			action.After = append(action.After, positions[first])
		}
		positions[i] = len(sorted)
		sorted = append(sorted, action)
	}

	for i := range p.actions {
		visit(i)
	}
	return sorted
}

// waits returns, for each action, the indexes of the actions that it waits for.
func (p *planner) waits() [][]int {
	waits, holders := make([][]int, len(p.actions)), p.holders()
	for i, action := range p.actions {
		holder, isTaken := holders[newName(action)]
		if isTaken && holder.ID != action.ID && action.Outcome != Refused {
			waits[i] = []int{p.freeing(holder.ID)}
		}
	}
	return waits
}

// breakCycles adds a temporary name to every cycle of actions that wait for each other, and returns the
// updated dependencies.
func (p *planner) breakCycles(ctx context.Context, waits [][]int) ([][]int, error) {
	for i := range waits {
		last, next := i, waits[i]
		for steps := 0; len(next) > 0 && next[0] != i && steps < len(waits); steps++ {
			last, next = next[0], waits[next[0]]
		}
		if len(next) == 0 || next[0] != i {
			continue
		}

		// The last action of the cycle waits for this survey's name, which the temporary name frees.
		renamed, err := p.rename(ctx, &p.actions[i])
		if err != nil {
			return nil, err
		}
		p.actions, waits = append(p.actions, renamed), append(waits, nil)
		waits[last] = []int{len(p.actions) - 1}
		waits[i] = append(waits[i], len(p.actions)-1)
	}
	return waits, nil
}

// rename returns an action that gives a survey a temporary name before another action changes the
// survey. It updates that action to expect the temporary name.
func (p *planner) rename(ctx context.Context, then *Action) (Action, error) {
	i := slices.IndexFunc(p.live, func(o source.Object) bool { return o.Kind == source.Survey && o.ID == then.ID })
	live := p.live[i].Whole()
	temporary := temporaryName(live)
	request, err := p.edit(ctx, live, func(f *survey.Fields) { f.Name = types.StringValue(temporary) })
	renamed := Action{
		Kind: source.Survey, Verb: Rename, Name: live.Name, ID: live.ID, Seen: then.Seen, Outcome: Planned, Remaining: []Attribute{},
		Changes: []ValueChange{{Path: "name", Before: live.Name, After: temporary}}, SurveyRequest: request,
	}

	live.Attributes = maps.Clone(live.Attributes)
	live.Attributes["name"] = temporary
	then.Seen = Fingerprint(live)
	return renamed, err
}

// temporaryName returns a unique name that PostHog does not reject as too long.
func temporaryName(o source.Object) string {
	const longest = 300
	name := []rune(strings.TrimSpace(o.Name))
	return fmt.Sprintf("%s (posthog-sync renames %s)", string(name[:min(len(name), longest)]), o.ID)
}
