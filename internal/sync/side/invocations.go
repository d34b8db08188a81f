package side

import (
	tfjson "github.com/hashicorp/terraform-json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// The types of the actions that change a survey.
const (
	LaunchAction = "posthog_survey_launch"
	StopAction   = "posthog_survey_stop"
)

// invocations are the actions on surveys that a plan invokes.
type invocations struct {
	list []*tfjson.ActionInvocation
	// assigned are the invocations whose survey is among the changes of the plan.
	assigned map[*tfjson.ActionInvocation]bool
}

func invocationsOf(plan *tfjson.Plan) invocations {
	i := invocations{assigned: map[*tfjson.ActionInvocation]bool{}}
	for _, invocation := range plan.ActionInvocations {
		if invocation.Type == LaunchAction || invocation.Type == StopAction {
			i.list = append(i.list, invocation)
		}
	}
	return i
}

// on returns the types of the actions on a resource: those whose survey_id is its id, and
// those that it triggers and whose survey_id is known only after apply.
func (i invocations) on(address string, change Change) []string {
	id := ""
	for _, object := range []*Object{change.Before, change.After} {
		if object != nil && object.ID != "" {
			id = object.ID
		}
	}

	var types []string
	for _, invocation := range i.list {
		target := surveyID(invocation)
		trigger := invocation.LifecycleActionTrigger
		isTrigger := trigger != nil && trigger.TriggeringResourceAddress == address
		if target != "" && target == id || target == "" && isTrigger {
			i.assigned[invocation] = true
			types = append(types, invocation.Type)
		}
	}
	return types
}

// onOthers returns the changes of surveys that are not resources of the plan: a survey may
// be managed elsewhere, and a plan with -invoke has no resources at all.
func (i invocations) onOthers(prior *tfjson.State, hidden *hider) ([]Change, error) {
	objects, err := fromState(prior, hidden)
	if err != nil {
		return nil, err
	}
	managed := map[string]Object{}
	for _, object := range objects {
		managed[object.ID] = object
	}

	var changes []Change
	for _, invocation := range i.list {
		if i.assigned[invocation] {
			continue
		}
		id := surveyID(invocation)
		object, ok := managed[id]
		if !ok || id == "" {
			object = Object{Kind: Survey, ID: id, Address: invocation.Address}
		}
		changes = append(changes, Change{Before: &object, After: &object, Invoked: []string{invocation.Type}})
	}
	return changes, nil
}

// surveyID is the survey_id of an action; empty while it is unknown.
func surveyID(action *tfjson.ActionInvocation) string {
	values, _ := action.ConfigValues.(map[string]any)
	return jsonvalue.String(values["survey_id"])
}
