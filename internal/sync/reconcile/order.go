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

// The order of a plan follows from one rule of PostHog: survey names are unique within a project. If a
// survey takes the name of another survey, the other survey must be renamed or deleted first. Only one
// survey has a given name, so each action waits for at most one other action. The dependency graph
// therefore consists only of chains and cycles.
//
// A chain runs from its end. A cycle has no end: for example, two surveys may swap their names. In this
// case, one survey gets a temporary name first, which turns the cycle into a chain. A temporary name
// costs one more request and is briefly visible, so only one survey of each cycle gets one. The name
// contains the survey's ID. If the run is interrupted, the name therefore conflicts with no other
// survey and shows which survey it belongs to, and the next run renames the survey like any other.
//
// A refused action keeps its survey's name, so the planner must also refuse the actions that wait for
// this name. The planner does this before it orders actions, and repeats it until nothing changes.
// Otherwise, a plan could free a name that no other survey may take, or fail halfway with an error from
// PostHog.
//
// Within these constraints, the order serves readers of the plan: removals come last, surveys come before
// apps, and actions are otherwise sorted by name. The same two sources always produce the same plan.

// holders returns B's surveys by name.
func (p *planner) holders() map[string]source.Object {
	holders := map[string]source.Object{}
	for _, object := range p.live {
		if object.Kind == source.Survey && strings.TrimSpace(object.Name) != "" {
			holders[strings.TrimSpace(object.Name)] = object
		}
	}
	return holders
}

// newName returns the name that an action sets, or an empty string if it does not set the name.
func newName(action Action) string {
	name, err := action.SurveyRequest.Name.Get()
	if action.Kind != source.Survey || err != nil {
		return ""
	}
	return strings.TrimSpace(name)
}

// freeing returns the index of the action that frees a survey's name, or -1 if there is none.
func (p *planner) freeing(id string) int {
	return slices.IndexFunc(p.actions, func(action Action) bool {
		return action.Kind == source.Survey && action.ID == id && action.Outcome != Refused &&
			(action.Verb == Delete || newName(action) != "")
	})
}

// orderActions returns the plan in execution order: removals last, surveys before apps, and each action
// after the actions that it waits for.
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

// sortActions sorts the actions topologically, with a depth-first search along their dependencies.
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

// breakCycles adds a temporary name to every cycle of waiting actions, and returns the updated
// dependencies.
func (p *planner) breakCycles(ctx context.Context, waits [][]int) ([][]int, error) {
	for i := range waits {
		last, next := i, waits[i]
		for steps := 0; len(next) > 0 && next[0] != i && steps < len(waits); steps++ {
			last, next = next[0], waits[next[0]]
		}
		if len(next) == 0 || next[0] != i {
			continue
		}

		// The cycle's last action waits for this survey's name. The temporary name frees it.
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

// rename returns an action that gives a survey a temporary name before the action then changes the
// survey. It updates then to expect the temporary name.
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

// temporaryName returns a unique name within PostHog's length limit.
func temporaryName(o source.Object) string {
	const longest = 300
	name := []rune(strings.TrimSpace(o.Name))
	return fmt.Sprintf("%s (posthog-sync renames %s)", string(name[:min(len(name), longest)]), o.ID)
}
