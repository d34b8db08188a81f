package reconcile

import (
	"context"
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// NameTwiceError is the error for two desired surveys with the same name.
type NameTwiceError struct{ Name string }

// Error implements error.
func (e *NameTwiceError) Error() string {
	return fmt.Sprintf("two desired surveys are named %q", e.Name)
}

// checkNames refuses two desired surveys with the same name: the service takes only one.
func checkNames(desired []side.Object, o Options) error {
	seen := map[string]bool{}
	for _, object := range desired {
		name := strings.TrimSpace(object.Name)
		if object.Kind != side.Survey || !o.selects(object.Name) {
			continue
		}
		if seen[name] {
			return &NameTwiceError{name}
		}
		seen[name] = true
	}
	return nil
}

// refuseManaged refuses to change an object that a Terraform state manages.
func (p *planner) refuseManaged(action *Action) {
	if where, ok := p.Managed[ObjectKey{action.Kind, action.ID}]; ok {
		action.refuse(Reason{Code: ManagedByState, Where: where, Name: action.Name})
	}
}

// refuseAnswered refuses to delete a survey that has responses, or may have some.
func (p *planner) refuseAnswered(ctx context.Context, action *Action) {
	switch number := p.Responses(ctx, action.ID); {
	case number.Counted > 0:
		action.refuse(Reason{Code: HasResponses, Number: number})
	case !number.IsKnown():
		action.refuse(Reason{Code: MayHaveResponses, Number: number})
	}
}

// refuseCutAnswers refuses to drop questions of a survey that has responses, or may have
// some.
func (p *planner) refuseCutAnswers(ctx context.Context, action *Action) {
	if len(action.Dropped) == 0 || p.AllowCutAnswers {
		return
	}
	number := p.Responses(ctx, action.ID)
	action.Count(number)
	switch {
	case number.IsNone():
	case number.Counted > 0:
		action.refuse(Reason{Code: CutsAnswers})
	default:
		action.refuse(Reason{Code: MayCutAnswers})
	}
}

// limitDeletes refuses to delete or archive anything if there are more such actions than
// allowed: a side that lacks so much may be the wrong one.
func (p *planner) limitDeletes() {
	var removed []int
	for i, action := range p.actions {
		if action.Removes() && action.Outcome != Refused {
			removed = append(removed, i)
		}
	}
	if len(removed) <= p.MaxDeletes {
		return
	}
	for _, i := range removed {
		p.actions[i].refuse(Reason{Code: TooManyRemovals, Count: int64(len(removed)), Limit: int64(p.MaxDeletes)})
	}
}

// refuseTakenNames refuses actions that need the name of a survey that keeps it. A refused
// action keeps its own name, so this is repeated until nothing changes.
func (p *planner) refuseTakenNames() {
	for again := true; again; {
		again = false
		holders := p.holders()
		for i := range p.actions {
			action := &p.actions[i]
			holder, taken := holders[newName(*action)]
			if action.Outcome == Refused || !taken || holder.ID == action.ID || p.freeing(holder.ID) >= 0 {
				continue
			}
			action.refuse(Reason{Code: NameTaken, Name: holder.Name, ID: holder.ID})
			again = true
		}
	}
}
