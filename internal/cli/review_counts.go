package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
)

// responseCounts are the numbers of responses of the surveys in a plan. A page on which some
// are unknown is better than none.
func (p *program) responseCounts(ctx context.Context, changes []side.Change) map[string]responses.Number {
	byProject := map[string][]side.Object{}
	for _, change := range changes {
		if before := change.Before; before != nil && before.Kind == side.Survey && before.ParentID != "" {
			byProject[before.ParentID] = append(byProject[before.ParentID], *before)
		}
	}

	counts := map[string]responses.Number{}
	for _, project := range slices.Sorted(maps.Keys(byProject)) {
		surveys := byProject[project]
		numberOf := p.counterOf(project)

		unknown := map[string][]string{}
		for _, o := range surveys {
			number := numberOf(ctx, o.ID)
			counts[o.ID] = number
			if !number.IsKnown() {
				unknown[number.Reason] = append(unknown[number.Reason], o.Name)
			}
		}
		for _, reason := range slices.Sorted(maps.Keys(unknown)) {
			p.logf("How many responses %s of project %s has is unknown: %s", surveysOf(unknown[reason]), project, reason)
		}
	}
	return counts
}

// setAdded sets since when questions are asked that were added after the start of their
// survey, by one request for each survey with such answers.
func (p *program) setAdded(ctx context.Context, surveys []review.SurveyChange) {
	l, err := p.liveOfPlan()
	if err != nil {
		return // the numbers of responses have said so
	}
	for i := range surveys {
		if project, ok := surveys[i].Project(); ok {
			surveys[i].SetAdded(responses.QuestionsAdded(ctx, l.client.Surveys(project), surveys[i].ID))
		}
	}
}

// counterOf returns the function that tells how many responses a survey of a project of the
// environment has.
func (p *program) counterOf(project string) func(ctx context.Context, id string) responses.Number {
	l, err := p.liveOfPlan()
	if err != nil {
		return func(context.Context, string) responses.Number {
			return responses.Number{Reason: err.Error(), Err: err}
		}
	}

	counter := responses.NewCounter(l.client.Surveys(project), nil)
	return func(ctx context.Context, id string) responses.Number {
		number := counter.Of(ctx, id)
		if errors.Is(number.Err, responses.ErrNoSuchSurvey) {
			// The environment may not be that of the plan, and have another project with this id.
			number.Reason = fmt.Sprintf("it is not there at %s: is environment %q the one of the plan? --env names another", l.BaseURL, l.Name)
		}
		return number
	}
}

// liveOfPlan is the live side that a plan is reviewed against.
func (p *program) liveOfPlan() (*live, error) {
	e, err := p.environment()
	if err != nil {
		return nil, err
	}
	return p.live(e)
}
