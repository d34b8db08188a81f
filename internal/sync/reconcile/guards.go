package reconcile

import (
	"context"
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// checkNames returns an error if two desired surveys have the same name, because PostHog accepts only
// one.
func checkNames(desired []source.Object, o Options) error {
	names := map[string]bool{}
	for _, object := range desired {
		name := strings.TrimSpace(object.Name)
		if object.Kind != source.Survey || !o.selects(object.Name) {
			continue
		}
		if names[name] {
			return fmt.Errorf("two surveys of %s are named %q: names have to be unique", o.A, name)
		}
		names[name] = true
	}
	return nil
}

// guardState refuses to change an object that a Terraform state manages.
func (p *planner) guardState(action *Action) {
	if where, ok := p.Managed[ObjectKey{action.Kind, action.ID}]; ok {
		action.refuse(fmt.Sprintf("managed by Terraform as %s: change the code instead, or leave it out with --exclude %q", where, action.Name))
	}
}

const deleteAnyway = "--allow-delete=" + string(DeleteWithResponses)

// guardResponses refuses to delete a survey that has responses, or may have some.
func (p *planner) guardResponses(ctx context.Context, action *Action) {
	switch number := p.Responses(ctx, action.ID); {
	case number.Counted > 0:
		action.refuse(fmt.Sprintf("it has %s, which would be lost: %s deletes it anyway, --archive keeps them", number, deleteAnyway))
	case !number.IsKnown():
		action.refuse(fmt.Sprintf("whether it has responses is not known: %s. %s deletes it anyway, --archive keeps them", number.Reason, deleteAnyway))
	}
}

// refuseDetachedAnswers refuses to remove questions from a survey that has responses, or may have some.
func (p *planner) refuseDetachedAnswers(ctx context.Context, action *Action) {
	isReplaced := p.countAnswers(ctx, action)
	if len(action.Dropped) == 0 && !isReplaced || p.AllowDetachedAnswers {
		return
	}
	number := p.Responses(ctx, action.ID)
	action.Count(number)
	switch {
	case number.IsNone():
		action.Unanswered = true
	case number.Counted > 0:
		action.refuse("it would detach answers: --allow-detached-answers does it anyway")
	default:
		action.refuse("it may detach answers: --allow-detached-answers does it anyway")
	}
}

// countAnswers counts the answers under the IDs that the action replaces, and reports whether there are
// or may be any.
func (p *planner) countAnswers(ctx context.Context, action *Action) bool {
	if len(action.Replaced) == 0 {
		return false
	}

	var answers map[string]int64
	if p.Answers != nil {
		answers = p.Answers(ctx, action.ID)
	}
	mayDetach := false
	for i := range action.Replaced {
		replaced := &action.Replaced[i]
		if number, isCounted := answers[replaced.ID]; isCounted {
			replaced.Answers = &number
		}
		mayDetach = mayDetach || replaced.ID != "" && (replaced.Answers == nil || *replaced.Answers > 0)
	}
	return mayDetach
}

// refuseFlagDeletion refuses to remove a targeting flag from a survey if the survey does not own the
// flag. PostHog cannot unlink a targeting flag: it deletes the flag, even if something else uses it.
func (p *planner) refuseFlagDeletion(action *Action, live source.Object) {
	isRemoved, err := action.SurveyRequest.RemoveTargetingFlag.Get()
	response := surveyResponse(live)
	if err != nil || !isRemoved || response == nil || p.Delete != KeepExtra {
		return
	}

	flag, err := response.TargetingFlag.Get()
	if err == nil && flag.Key != nil && !strings.HasPrefix(*flag.Key, survey.OwnFlagPrefix) {
		action.refuse(fmt.Sprintf("the service would delete feature flag %q, whatever else uses it: --allow-delete does it anyway", *flag.Key))
	}
}

// limitDeletes refuses all deletions and archivals if there are more of them than allowed: A may be the
// wrong source.
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
		p.actions[i].refuse(fmt.Sprintf("%d objects would be deleted or archived, and at most %d may be: --max-deletes %d allows it", len(removed), p.MaxDeletes, len(removed)))
	}
}

// refuseTakenNames refuses actions that need the name of a survey that keeps its name. A refused action
// also keeps its survey's name, so the check repeats until nothing changes.
func (p *planner) refuseTakenNames() {
	for hasChanged := true; hasChanged; {
		hasChanged = false
		holders := p.holders()
		for i := range p.actions {
			action := &p.actions[i]
			holder, isTaken := holders[newName(*action)]
			if action.Outcome == Refused || !isTaken || holder.ID == action.ID || p.freeing(holder.ID) >= 0 {
				continue
			}
			action.refuse(fmt.Sprintf("the name %q is taken by survey %s, which keeps it", holder.Name, holder.ID))
			hasChanged = true
		}
	}
}
