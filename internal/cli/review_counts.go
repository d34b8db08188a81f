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

// responseCounts are the numbers of responses of the surveys in a plan. Those that cannot
// be read are left out: a page without them is better than none. state is the state that the
// plan was made from.
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

// projectCounts are the numbers of responses of surveys of one project. The service omits
// surveys without responses, so those get 0.
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

	omitted := slices.DeleteFunc(surveys, func(o side.Object) bool { _, ok := counts[o.ID]; return ok })
	switch {
	case counts == nil:
		return nil, errors.New("the service does not return them")
	case len(omitted) == 0:
		return counts, nil
	case len(counts) == 0 && countsNone(project, slices.Concat(omitted, state)):
		return nil, errCountsNone
	}

	// The environment may not be that of the plan, and have another project with this id.
	_, err = l.client.Surveys(project).Retrieve(ctx, omitted[0].ID)
	switch {
	case client.IsNotFound(err):
		return nil, fmt.Errorf("survey %q is not there at %s: is environment %q the one of the plan? --env names another",
			omitted[0].Name, e.BaseURL, e.Name)
	case err != nil:
		return nil, err
	}
	for _, o := range omitted {
		counts[o.ID] = 0
	}
	return counts, nil
}

// errCountsNone is the reason for which an empty result says nothing about responses.
var errCountsNone = errors.New("the service counts none before a survey of the project is launched, also those of a survey that is a draft again")

// countsNone reports whether the service may omit existing responses: the hosted service,
// which returns a schedule, counts from the earliest start date in the project on.
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
