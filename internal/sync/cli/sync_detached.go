package cli

import (
	"context"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// detachedSurveys returns the surveys of B whose answers stay detached after a plan, among the objects
// that it changes and those that it leaves unchanged. It also marks IDs that never belonged to a
// question.
func (j *syncJob) detachedSurveys(ctx context.Context, plan *reconcile.Plan) ([]detachedSurvey, error) {
	answers, err := j.compareAnswers(j.a, j.b)
	if err != nil || answers == nil {
		return []detachedSurvey{}, err
	}
	if err := answers.lookUp(ctx, slices.Clone(j.desired), j.current); err != nil {
		return nil, err
	}

	remaining := map[string][]reconcile.Attribute{}
	restored := map[string][]string{}
	for i := range plan.Actions {
		action := &plan.Actions[i]
		remaining[action.ID] = append(remaining[action.ID], action.Remaining...)
		for _, r := range action.Replaced {
			restored[action.ID] = append(restored[action.ID], r.Old)
		}
		answers.markNewIDs(ctx, action)
	}
	for _, skipped := range plan.Skipped {
		remaining[skipped.ID] = append(remaining[skipped.ID], skipped.Attributes...)
	}

	surveys := []detachedSurvey{}
	for _, o := range j.current {
		if o.Kind != source.Survey || !j.selected.selects(o.Name) {
			continue
		}
		survey, err := answers.of(ctx, o.ID, o.Name, remaining[o.ID])
		if err != nil {
			return nil, err
		}
		stays := slices.DeleteFunc(survey.list, func(d identity.Detached) bool { return slices.Contains(restored[o.ID], d.OldID) })
		if len(stays) > 0 {
			surveys = append(surveys, newDetachedSurvey(survey.ID, survey.Name, stays, survey.repairing))
		}
	}
	return surveys, ctx.Err()
}

// markNewIDs marks the IDs that never belonged to a question of the survey, as far as the activity log
// shows.
func (c *comparedAnswers) markNewIDs(ctx context.Context, action *reconcile.Action) {
	if len(action.Replaced) == 0 {
		return
	}
	logged, ok := c.readLog(ctx, action.ID)
	if !ok || !logged.feed.IsComplete {
		return // any ID may have existed
	}
	for i := range action.Replaced {
		_, wasHeld := logged.timeline.Holding(action.Replaced[i].Old)
		action.Replaced[i].IsNew = !wasHeld
	}
}
