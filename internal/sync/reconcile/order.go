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

// The order of a plan follows from one rule of the service: names of surveys are unique in a
// project. A survey that takes over the name of another has to wait until that one is renamed
// or deleted, so actions form a graph, in which each waits for at most one other: a name has
// one holder. Such a graph is made of chains and rings, which is why neither needs more than
// a walk along it.
//
// A chain is done from its end. A ring, such as two surveys that swap their names, has no
// end: one survey gets a temporary name first, and the ring is a chain. That costs a request
// more and shows the temporary name for a moment, so no more than one survey of a ring gets
// one. It carries the id of the survey, so that a run which is cut off leaves a name that no
// other survey has, and that says whose it is; the next run renames it like any other.
//
// An action that is refused keeps its name, and so refuses those that wait for it; this is
// decided before anything is ordered, and repeated until nothing changes. Otherwise a plan
// could free a name that nobody may take, or fail halfway with the service's error.
//
// Within these waits the order is for the people who read the plan: what removes comes last,
// surveys before apps, and then by name, so the same two sources always give the same plan.

// holders are the surveys of B by name.
func (p *planner) holders() map[string]source.Object {
	holders := map[string]source.Object{}
	for _, object := range p.live {
		if object.Kind == source.Survey && strings.TrimSpace(object.Name) != "" {
			holders[strings.TrimSpace(object.Name)] = object
		}
	}
	return holders
}

// newName is the name that an action gives to a survey; empty when it sets none.
func newName(action Action) string {
	name, err := action.SurveyRequest.Name.Get()
	if action.Kind != source.Survey || err != nil {
		return ""
	}
	return strings.TrimSpace(name)
}

// freeing is the index of the action that frees the name of a survey, -1 when there is none.
func (p *planner) freeing(id string) int {
	return slices.IndexFunc(p.actions, func(action Action) bool {
		return action.Kind == source.Survey && action.ID == id && action.Outcome != Refused &&
			(action.Verb == Delete || newName(action) != "")
	})
}

// orderActions returns the plan: removals last, surveys before apps, and each action after those
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

// sortActions returns the actions in topological order: depth first over what each waits for.
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

// waits are for each action the indexes of those that it waits for.
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

// breakCycles adds a temporary name to every cycle of actions that wait for each other, and
// returns what the actions wait for then.
func (p *planner) breakCycles(ctx context.Context, waits [][]int) ([][]int, error) {
	for i := range waits {
		last, next := i, waits[i]
		for steps := 0; len(next) > 0 && next[0] != i && steps < len(waits); steps++ {
			last, next = next[0], waits[next[0]]
		}
		if len(next) == 0 || next[0] != i {
			continue
		}

		// The last one waits for the name of this survey, which the temporary name frees.
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

// rename returns the action that gives a survey a temporary name before another action on
// it, which then expects that name.
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

// temporaryName is a unique name, short enough for the service.
func temporaryName(o source.Object) string {
	const longest = 300
	name := []rune(strings.TrimSpace(o.Name))
	return fmt.Sprintf("%s (posthog-sync renames %s)", string(name[:min(len(name), longest)]), o.ID)
}
