package cli

import (
	"context"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// lookUpAnswers looks for detached answers in B. If a YAML file does not set a question's ID, the plan
// restores the ID that has the answers, as a Terraform plan does.
func (j *syncJob) lookUpAnswers(ctx context.Context) error {
	var err error
	if j.answers, err = j.compareAnswers(j.a, j.b, j.counter); err != nil || j.answers == nil {
		return err
	}
	if err := j.answers.lookUpCopies(ctx, j.desired, j.current); err != nil {
		return err
	}
	return j.answers.lookUp(ctx, j.desired, j.current, true)
}

// detachedSurveys returns the surveys of B with detached answers, including surveys that the plan leaves
// unchanged. It also marks IDs that never belonged to a question.
func (j *syncJob) detachedSurveys(ctx context.Context, plan *reconcile.Plan) ([]detachedSurvey, error) {
	surveys := []detachedSurvey{}
	if j.answers == nil {
		return surveys, nil
	}

	differences := map[string][]reconcile.Attribute{}
	for i := range plan.Actions {
		action := &plan.Actions[i]
		differences[action.ID] = append(differences[action.ID], action.Remaining...)
		for _, r := range action.Replaced {
			differences[action.ID] = append(differences[action.ID], reconcile.Attribute{Path: r.Path, Detached: &r.Detached})
		}
		j.answers.markNewIDs(ctx, action)
	}
	for _, skipped := range plan.Skipped {
		differences[skipped.ID] = append(differences[skipped.ID], skipped.Attributes...)
	}

	for _, o := range j.current {
		if o.Kind != source.Survey || !j.selected.selects(o.Name) {
			continue
		}
		survey, err := j.answers.of(ctx, o.ID, o.Name, differences[o.ID])
		if err != nil {
			return nil, err
		}
		if len(survey.list) > 0 {
			surveys = append(surveys, survey)
		}
	}
	return surveys, ctx.Err()
}

// afterPlan returns the surveys whose answers are still detached after the plan. It omits questions whose
// IDs the plan has restored, and adds a note about IDs that it will restore.
func afterPlan(surveys []detachedSurvey, plan reconcile.Plan) []detachedSurvey {
	outcomes := map[string]reconcile.Outcome{} // key: survey ID and the ID that an action sets
	for _, action := range plan.Actions {
		for _, r := range action.Replaced {
			outcomes[action.ID+" "+r.Old] = action.Outcome
		}
	}

	remaining := []detachedSurvey{}
	for _, s := range surveys {
		var list identity.DetachedList
		repair := s.repairing
		for _, d := range s.list {
			outcome := outcomes[s.ID+" "+d.OldID]
			if d.IsStated = outcome == reconcile.Planned; d.IsStated {
				repair.stating = "This sync restores the old IDs, which reattaches the answers."
			}
			if outcome != reconcile.Done {
				list = append(list, d)
			}
		}
		if len(list) > 0 {
			remaining = append(remaining, newDetachedSurvey(s.ID, s.Name, list, repair))
		}
	}
	return remaining
}

// markNewIDs marks the IDs that never belonged to a question of the survey, according to the activity
// log.
func (c *comparedAnswers) markNewIDs(ctx context.Context, action *reconcile.Action) {
	if len(action.Replaced) == 0 {
		return
	}
	logged, ok := c.readLog(ctx, action.ID)
	if !ok || !logged.feed.IsComplete {
		return // any ID may have existed before the log starts
	}
	for i := range action.Replaced {
		_, wasHeld := logged.timeline.Holding(action.Replaced[i].Old)
		action.Replaced[i].IsNew = !wasHeld
	}
}
