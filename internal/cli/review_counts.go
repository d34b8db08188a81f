package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
)

// responseCounts are the numbers of responses of the surveys in a plan, without those that
// are not known: a page without them is better than none. state is what the plan was made
// from.
func (p *program) responseCounts(ctx context.Context, changes []side.Change, state []side.Object) map[string]int64 {
	byProject := map[string][]side.Object{}
	for _, change := range changes {
		if before := change.Before; before != nil && before.Kind == side.Survey && before.ParentID != "" {
			byProject[before.ParentID] = append(byProject[before.ParentID], *before)
		}
	}

	counts := map[string]int64{}
	for _, project := range slices.Sorted(maps.Keys(byProject)) {
		ofProject, err := p.projectCounts(ctx, project, byProject[project], state)
		if err != nil {
			p.logf("The numbers of responses in project %s are unknown: %s", project, err)
			continue
		}
		maps.Copy(counts, ofProject)
	}
	return counts
}

// projectCounts are the numbers of responses of surveys of one project. The service leaves
// out a survey without responses.
func (p *program) projectCounts(ctx context.Context, project string, surveys, state []side.Object) (map[string]int64, error) {
	e, err := p.environment()
	if err != nil {
		return nil, err
	}
	l, err := p.live(e)
	if err != nil {
		return nil, err
	}
	counts, err := l.client.Surveys(project).ResponsesCount(ctx)
	if err != nil {
		return nil, err
	}

	left := slices.DeleteFunc(surveys, func(o side.Object) bool { _, ok := counts[o.ID]; return ok })
	switch {
	case counts == nil:
		return nil, errors.New("the service does not say")
	case len(left) == 0:
		return counts, nil
	case len(counts) == 0 && countsNone(project, slices.Concat(left, state)):
		return nil, errCountsNone
	}

	// The environment may be another one than that of the plan, with a project of that number.
	_, err = l.client.Surveys(project).Retrieve(ctx, left[0].ID)
	switch {
	case client.IsNotFound(err):
		return nil, fmt.Errorf("survey %q is not there at %s: is environment %q the one of the plan? --env names another",
			left[0].Name, e.BaseURL, e.Name)
	case err != nil:
		return nil, err
	}
	for _, one := range left {
		counts[one.ID] = 0
	}
	return counts, nil
}

// errCountsNone is why no number of responses is known where there are none at all.
var errCountsNone = errors.New("the service counts none before a survey of the project is launched, also those of a survey that is a draft again")

// countsNone reports whether the service may leave out responses that there are: the hosted
// one, which answers with a schedule, counts from the earliest start date of the project on.
func countsNone(project string, surveys []side.Object) bool {
	isHosted := false
	for _, o := range surveys {
		if o.Kind != side.Survey || o.ParentID != project {
			continue
		}
		if hasStarted(o) {
			return false
		}
		isHosted = isHosted || o.Attributes["schedule"] != nil
	}
	return isHosted
}
