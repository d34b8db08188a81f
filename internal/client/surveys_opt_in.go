package client

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// optInTimeout bounds a request that is made only for a warning.
const optInTimeout = 10 * time.Second

// surveysOptIns are the settings that enable surveys, by project.
type surveysOptIns struct {
	mu        sync.Mutex
	byProject map[string]func() optIn
}

// optIn is the setting of a project; known is false when it cannot be read.
type optIn struct{ on, known bool }

// SwitchedOn reports whether the project shows surveys at all, by its settings. Known is
// false if the service has no such setting, or the key may not read it. The first call for
// a project makes a request, whose failure is not an error; later calls make none.
func (s *Surveys) SwitchedOn(ctx context.Context) (on, known bool) {
	all := s.client.surveysOptIns
	all.mu.Lock()
	setting, ok := all.byProject[s.projectID]
	if !ok {
		setting = sync.OnceValue(func() optIn { return s.readOptIn(ctx) })
		all.byProject[s.projectID] = setting
	}
	all.mu.Unlock()

	read := setting()
	return read.on, read.known
}

func (s *Surveys) readOptIn(ctx context.Context) optIn {
	ctx, cancel := context.WithTimeout(bestEffort(ctx), optInTimeout)
	defer cancel()

	project, err := s.client.Project(ctx, s.projectID)
	if err != nil {
		tflog.Debug(ctx, "the settings of the project cannot be read", map[string]any{"project_id": s.projectID, "error": err.Error()})
		return optIn{}
	}

	// A null means that surveys were never switched on.
	on, _ := project.SurveysOptIn.Get()
	return optIn{on: on, known: project.SurveysOptIn.IsSpecified()}
}
