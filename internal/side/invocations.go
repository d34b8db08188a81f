package side

import (
	"context"

	tfjson "github.com/hashicorp/terraform-json"
)

// The types of actions that change a survey.
const (
	LaunchAction = "posthog_survey_launch"
	StopAction   = "posthog_survey_stop"
)

// invocations are the actions on surveys that a plan invokes.
type invocations struct {
	list []*tfjson.ActionInvocation
	// taken are those whose survey the plan holds.
	taken map[*tfjson.ActionInvocation]bool
}

func invocationsOf(plan *tfjson.Plan) invocations {
	i := invocations{taken: map[*tfjson.ActionInvocation]bool{}}
	for _, one := range plan.ActionInvocations {
		if one.Type == LaunchAction || one.Type == StopAction {
			i.list = append(i.list, one)
		}
	}
	return i
}

// on are the types of the actions on a resource: those that name its id, and those that it
// triggers itself while the id that they name is known only after apply.
func (i invocations) on(address string, change Change) []string {
	id := ""
	for _, object := range []*Object{change.Before, change.After} {
		if object != nil && object.ID != "" {
			id = object.ID
		}
	}

	var types []string
	for _, one := range i.list {
		named := surveyID(one)
		triggers := one.LifecycleActionTrigger != nil && one.LifecycleActionTrigger.TriggeringResourceAddress == address
		if named != "" && named == id || named == "" && triggers {
			i.taken[one] = true
			types = append(types, one.Type)
		}
	}
	return types
}

// onOthers are the changes of surveys that are no resources of the plan: a survey may be
// managed elsewhere, and a plan with -invoke has no resources at all.
func (i invocations) onOthers(ctx context.Context, prior *tfjson.State) []Change {
	known := map[string]Object{}
	for _, object := range FromState(ctx, prior) {
		known[object.ID] = object
	}

	var changes []Change
	for _, one := range i.list {
		if i.taken[one] {
			continue
		}
		id := surveyID(one)
		object, ok := known[id]
		if !ok || id == "" {
			object = Object{Kind: Survey, ID: id, Address: one.Address}
		}
		changes = append(changes, Change{Before: &object, After: &object, Invoked: []string{one.Type}})
	}
	return changes
}

// surveyID is the survey that an action names; empty while it is not known.
func surveyID(action *tfjson.ActionInvocation) string {
	values, _ := action.ConfigValues.(map[string]any)
	return text(values["survey_id"])
}
