package client

import (
	"context"
	"sync"

	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// accessLevels are the levels that the API key has on the surveys it creates, by
// project. The service computes one from the key's user and the project, and puts it
// into the answers to reads alone: one read in a project tells it for all creates.
type accessLevels struct {
	mu        sync.Mutex
	byProject map[string]*accessLevel
}

// accessLevel is the level in one project; turn lets one create at a time find it out.
type accessLevel struct {
	turn  chan struct{}
	found bool
	level nullable.Nullable[string]
}

func (l *accessLevels) in(project string) *accessLevel {
	l.mu.Lock()
	defer l.mu.Unlock()

	level, ok := l.byProject[project]
	if !ok {
		level = &accessLevel{turn: make(chan struct{}, 1)}
		if l.byProject == nil {
			l.byProject = map[string]*accessLevel{}
		}
		l.byProject[project] = level
	}
	return level
}

// CreatorAccessLevel is the user_access_level of a survey that was just created, not
// specified where the service has none. The first call in a project reads the survey,
// and returns it; later ones make no request, and return nil.
func (s *Surveys) CreatorAccessLevel(ctx context.Context, id string) (nullable.Nullable[string], *api.Survey, error) {
	l := s.client.accessLevels.in(s.projectID)
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}

	if l.found {
		return l.level, nil, nil
	}
	read, err := s.Retrieve(ctx, id)
	if err != nil {
		return nil, nil, err // the next create tries again
	}
	l.found, l.level = true, read.UserAccessLevel
	return l.level, &read, nil
}
