package reconcile

import (
	"context"
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// checkNames returns an error if two desired surveys have the same name, because PostHog requires unique
// names.
func checkNames(desired []source.Object, o Options) error {
	names := map[string]bool{}
	for _, object := range desired {
		name := strings.TrimSpace(object.Name)
		if object.Kind != source.Survey || !o.selects(object.Name) {
			continue
		}
		if names[name] {
			return fmt.Errorf("two surveys of %s are named %q: survey names must be unique", o.A, name)
		}
		names[name] = true
	}
	return nil
}

// guardState refuses to change an object that a Terraform state manages.
func (p *planner) guardState(action *Action) {
	if where, ok := p.Managed[ObjectKey{action.Kind, action.ID}]; ok {
		action.refuse(fmt.Sprintf("managed by Terraform as %s: change its configuration instead, or skip it with --exclude %q", where, action.Name))
	}
}

const deleteAnyway = "--allow-delete=" + string(DeleteWithResponses)

// guardResponses refuses to delete a survey that has or may have responses.
func (p *planner) guardResponses(ctx context.Context, action *Action) {
	switch number := p.Responses(ctx, action.ID); {
	case number.Counted > 0:
		action.refuse(fmt.Sprintf("it has %s, which would be lost. To keep them, use --archive. To delete the survey with them, use %s", number, deleteAnyway))
	case !number.IsKnown():
		action.refuse(fmt.Sprintf("it may have responses, because they could not be counted: %s. To keep them, use --archive. To delete the survey anyway, use %s", number.Reason, deleteAnyway))
	}
}

// refuseDetachedAnswers refuses to remove questions from a survey that has or may have responses, and to move their IDs to
// other questions.
func (p *planner) refuseDetachedAnswers(ctx context.Context, action *Action) {
	isReplaced := p.countAnswers(ctx, action)
	if len(action.Dropped)+len(action.Moved) == 0 && !isReplaced || p.AllowDetachedAnswers {
		return
	}
	number := p.Responses(ctx, action.ID)
	action.Count(number)
	switch {
	case number.IsNone():
		action.Unanswered = true
	case number.Counted > 0:
		action.refuse("it would detach answers. To allow this, use --allow-detached-answers")
	default:
		action.refuse("it may detach answers. To allow this, use --allow-detached-answers")
	}
}

// countAnswers counts the answers under the IDs that the action replaces, and reports whether any exist
// or may exist.
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

// refuseFlagDeletion refuses to remove a targeting flag from a survey that does not own the flag. PostHog
// cannot unlink a targeting flag: it deletes the flag, even if the flag is used elsewhere.
func (p *planner) refuseFlagDeletion(action *Action, live source.Object) {
	isRemoved, err := action.SurveyRequest.RemoveTargetingFlag.Get()
	response := surveyResponse(live)
	if err != nil || !isRemoved || response == nil || p.Delete != KeepExtra {
		return
	}

	flag, err := response.TargetingFlag.Get()
	if err == nil && flag.Key != nil && !strings.HasPrefix(*flag.Key, survey.OwnFlagPrefix) {
		action.refuse(fmt.Sprintf("PostHog would delete feature flag %q, even if something else uses it. To allow this, use --allow-delete", *flag.Key))
	}
}

// limitDeletes refuses all deletions and archivals if their number exceeds the limit, because A may be
// the wrong source.
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
		p.actions[i].refuse(fmt.Sprintf("%d objects would be deleted or archived, but the limit is %d. To allow this, use --max-deletes %d", len(removed), p.MaxDeletes, len(removed)))
	}
}

// refuseTakenNames refuses actions that need the name of a survey that is not renamed. A refused action
// also keeps the name of its survey, so the check repeats until nothing changes.
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
			action.refuse(fmt.Sprintf("survey %[2]s has the name %[1]q and keeps it", holder.Name, holder.ID))
			hasChanged = true
		}
	}
}
