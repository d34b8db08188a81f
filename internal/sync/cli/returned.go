package cli

import (
	"context"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/cli/report"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// returnedSurvey is a survey with questions that were deleted in PostHog, but that another source still
// contains.
type returnedSurvey struct {
	ID        string              `json:"id"`
	Name      string              `json:"name"`
	Questions []identity.Returned `json:"questions"`
}

// returned finds deleted questions of a live survey among the questions that changes add. It returns
// no questions if the activity log is not accessible.
func (c *comparedAnswers) returned(ctx context.Context, survey source.Object, changes []reconcile.ValueChange) (returnedSurvey, error) {
	found := returnedSurvey{ID: survey.ID, Name: survey.Name}
	for _, change := range changes {
		position, question, isAdded := change.AddedQuestion()
		if !isAdded || survey.Kind != source.Survey || c.log.counter.Of(ctx, survey.ID).IsNone() {
			continue
		}
		logged, ok := c.readLog(ctx, survey.ID)
		if !ok {
			return found, ctx.Err()
		}
		if q, ok := logged.timeline.Returned(ctx, logged.counter, position, question); ok {
			found.Questions = append(found.Questions, q)
		}
	}
	return found, ctx.Err()
}

// returnedInObjects returns the surveys with deleted questions among the objects that differ. current
// contains the live objects.
func (c *comparedAnswers) returnedInObjects(ctx context.Context, objects []reconcile.Object, current []source.Object) ([]returnedSurvey, error) {
	byID := map[string]source.Object{}
	for _, o := range current {
		byID[o.ID] = o
	}

	var surveys []returnedSurvey
	for _, o := range objects {
		id := o.IDB
		if c.isReversed {
			id = o.IDA
		}
		var changes []reconcile.ValueChange
		for _, a := range o.Attributes {
			change := reconcile.ValueChange{Path: a.Path, Before: a.B, After: a.A}
			if c.isReversed {
				change.Before, change.After = a.A, a.B
			}
			changes = append(changes, change)
		}
		survey, err := c.returned(ctx, byID[id], changes)
		if err != nil {
			return nil, err
		}
		if len(survey.Questions) > 0 {
			surveys = append(surveys, survey)
		}
	}
	return surveys, nil
}

// returnedSurveys returns the surveys to which a plan adds deleted questions again.
func (j *syncJob) returnedSurveys(ctx context.Context, plan reconcile.Plan) ([]returnedSurvey, error) {
	var surveys []returnedSurvey
	for _, action := range plan.Actions {
		if j.answers == nil || action.Effect.Before == nil {
			continue
		}
		survey, err := j.answers.returned(ctx, *action.Effect.Before, action.Changes)
		if err != nil {
			return nil, err
		}
		if len(survey.Questions) > 0 {
			surveys = append(surveys, survey)
		}
	}
	return surveys, nil
}

// returnedSections returns one section for each survey with deleted questions.
func returnedSections(surveys []returnedSurvey) []report.Section {
	var sections []report.Section
	for _, survey := range surveys {
		section := report.Section{Title: fmt.Sprintf("Deleted questions of survey %s return", survey.Name)}
		for _, q := range survey.Questions {
			section.Notes = append(section.Notes, q.String())
		}
		sections = append(sections, section)
	}
	return sections
}
