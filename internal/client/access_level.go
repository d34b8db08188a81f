package client

import (
	"sync"

	"github.com/oapi-codegen/nullable"
)

// accessLevels are the levels that the API key has on the surveys it creates, by
// project. The service computes one from the key's user and the project, and puts it
// into the responses to reads alone: one read in a project serves all creates.
type accessLevels struct {
	mu        sync.Mutex
	byProject map[string]*accessLevel
}

// accessLevel is the level in one project; lock lets one create at a time find it out.
type accessLevel struct {
	lock  chan struct{}
	found bool
	level nullable.Nullable[string]
}

func (l *accessLevels) in(project string) *accessLevel {
	l.mu.Lock()
	defer l.mu.Unlock()

	level, ok := l.byProject[project]
	if !ok {
		level = &accessLevel{lock: make(chan struct{}, 1)}
		if l.byProject == nil {
			l.byProject = map[string]*accessLevel{}
		}
		l.byProject[project] = level
	}
	return level
}
