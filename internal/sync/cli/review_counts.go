package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// answerCounts reads of the service how many answers the surveys of a plan have.
type answerCounts struct {
	*program
	// live is the side that the plan is reviewed against, err why there is none.
	live *live
	err  error
	// counters are those of the projects.
	counters map[string]*responses.Counter
}

func (p *program) answerCounts() answerCounts {
	c := answerCounts{program: p, counters: map[string]*responses.Counter{}}
	c.live, c.err = p.liveSide("", p.selection())
	return c
}

// numbers are the numbers of responses of the surveys in a plan. A page on which some
// are unknown is better than none.
func (c answerCounts) numbers(ctx context.Context, changes []side.Change) map[string]responses.Number {
	byProject := map[string][]side.Object{}
	for _, change := range changes {
		if before := change.Before; before != nil && before.Kind == side.Survey && before.ParentID != "" {
			byProject[before.ParentID] = append(byProject[before.ParentID], *before)
		}
	}

	counts := map[string]responses.Number{}
	for _, project := range slices.Sorted(maps.Keys(byProject)) {
		unknown := map[string][]string{}
		for _, o := range byProject[project] {
			number := c.number(ctx, project, o.ID)
			counts[o.ID] = number
			if !number.IsKnown() {
				unknown[number.Reason] = append(unknown[number.Reason], o.Name)
			}
		}
		for _, reason := range slices.Sorted(maps.Keys(unknown)) {
			c.logf("How many responses %s of project %s has is unknown: %s", surveysOf(unknown[reason]), project, reason)
		}
	}
	return counts
}

// number returns how many responses a survey of a project of the environment has.
func (c answerCounts) number(ctx context.Context, project, id string) responses.Number {
	if c.err != nil {
		return responses.Number{Reason: c.err.Error(), Err: c.err}
	}

	number := c.counter(project).Of(ctx, id)
	if errors.Is(number.Err, responses.ErrNoSuchSurvey) {
		// The environment may not be that of the plan, and have another project with this id.
		number.Reason = fmt.Sprintf("it is not there at %s: is environment %q the one of the plan? --env names another", c.live.BaseURL, c.live.Name)
	}
	return number
}

// setAdded sets since when questions are asked that were added after the start of their
// survey. It costs a request for each survey with such answers whose activity feed the number
// of its responses did not need.
func (c answerCounts) setAdded(ctx context.Context, surveys []review.SurveyChange) {
	if c.err != nil {
		return // the numbers of responses have said so
	}
	for i := range surveys {
		if project, ok := surveys[i].Project(); ok {
			surveys[i].SetAdded(c.counter(project).QuestionsAdded(ctx, surveys[i].ID))
		}
	}
}

// counter is the counter of a project.
func (c answerCounts) counter(project string) *responses.Counter {
	if c.counters[project] == nil {
		c.counters[project] = responses.NewCounter(c.live.client.Surveys(project), nil)
	}
	return c.counters[project]
}
