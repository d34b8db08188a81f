package cli

import (
	"context"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// detached are the surveys of B whose answers stay detached after a plan: of the objects that it
// changes, and of those that it leaves as they are. It also marks IDs that no question ever had.
func (j *syncJob) detached(ctx context.Context, plan *reconcile.Plan) ([]detachedSurvey, error) {
	answers, err := j.compareAnswers(j.a, j.b)
	if err != nil || answers == nil {
		return []detachedSurvey{}, err
	}
	if err := answers.lookUp(ctx, slices.Clone(j.desired), j.current); err != nil {
		return nil, err
	}

	left := map[string][]reconcile.Attribute{}
	restored := map[string][]string{}
	for i := range plan.Actions {
		action := &plan.Actions[i]
		left[action.ID] = append(left[action.ID], action.Remaining...)
		for _, r := range action.Replaced {
			restored[action.ID] = append(restored[action.ID], r.Old)
		}
		answers.markNewIDs(ctx, action)
	}
	for _, skipped := range plan.Skipped {
		left[skipped.ID] = append(left[skipped.ID], skipped.Attributes...)
	}

	all := []detachedSurvey{}
	for _, o := range j.current {
		if o.Kind != source.Survey || !j.selected.selects(o.Name) {
			continue
		}
		one, err := answers.of(ctx, o.ID, o.Name, left[o.ID])
		if err != nil {
			return nil, err
		}
		stays := slices.DeleteFunc(one.list, func(d identity.Detached) bool { return slices.Contains(restored[o.ID], d.OldID) })
		if len(stays) > 0 {
			all = append(all, newDetachedSurvey(one.ID, one.Name, stays, one.repairing))
		}
	}
	return all, ctx.Err()
}

// markNewIDs marks the IDs that no question of a survey ever had, as far as the activity log shows.
func (c *comparedAnswers) markNewIDs(ctx context.Context, action *reconcile.Action) {
	if len(action.Replaced) == 0 {
		return
	}
	logged, ok := c.logged(ctx, action.ID)
	if !ok || !logged.feed.IsComplete {
		return // any may have been there
	}
	for i := range action.Replaced {
		_, wasHeld := logged.timeline.Holding(action.Replaced[i].Old)
		action.Replaced[i].IsNew = !wasHeld
	}
}
