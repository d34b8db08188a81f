package testserver

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/control"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/page"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// Server is the test server, an [http.Handler] that is safe for concurrent use. It serves the API
// under /api/, its control interface under /_testserver/, and a web page at its root. The control
// interface and the page need no API key. To mount the server below a path, use [http.StripPrefix].
//
// The server refuses requests that pages of other websites make. On the loopback interface, it also
// refuses requests for host names other than localhost, its addresses, and Hosts of the [Options].
//
// Server also has the methods of the control operations: Surveys, Survey, CreateSurvey,
// PatchSurvey, and DeleteSurvey, and the same for apps; CreateFlag and DeleteFlag; SetFixtures, Dump,
// and Reset; AddResponses, Person, Events, WaitEvent, SurveyPeople, and Offers; SetClock, RunJobs,
// SetRemoved, and SetSurveyWaitPeriod; Faults; Journal, JournalEntry, and ResetJournal; Report; Worlds
// and DropWorld; Credentials and ProjectToken.
type Server struct {
	control.Operations

	world *control.World
}

// New creates a server. It returns an error if the options are invalid, or an error with the position
// in the document if the fixtures are invalid.
func New(options Options) (*Server, error) {
	profile, err := service.FindProfile(string(options.Profile))
	if err != nil {
		return nil, err
	}
	guard, err := web.NewGuard(options.Hosts)
	if err != nil {
		return nil, err
	}

	shared := options.settings(profile)
	shared.Guard = guard
	if options.Fixtures == nil {
		options.Fixtures = strings.NewReader("{}")
	}
	initial, err := fixtures.Read(&shared.Settings, options.Fixtures)
	if err != nil {
		return nil, fmt.Errorf("fixtures: %w", err)
	}
	w := control.New(shared, initial, options.Worlds)
	w.Page = page.Handler(w)
	return &Server{Operations: w.Operations, world: w}, nil
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.world.ServeHTTP(w, r) }

// World returns the world with the given name as a server, and creates the world if needed. A world
// has its own journal, faults, and clock, and its own store, which starts as a copy of the initial
// one. Its API key is phx_test_NAME. After a world is dropped, the next request with its key creates
// a new world, and the dropped one receives no more requests.
func (s *Server) World(name string) (*Server, error) {
	w, err := s.world.Open(name)
	if err != nil {
		return nil, err
	}
	return &Server{Operations: w.Operations, world: w}, nil
}

// settings returns the settings for the options, with defaults for unset options.
func (o Options) settings(profile *service.Profile) *control.Settings {
	shared := &control.Settings{
		Settings: service.Settings{
			Profile: profile, Clock: o.Clock, IDs: o.IDs, Delivers: o.Delivery || profile.Neighbours, Throttling: o.Throttle, Strict: o.Strict,
			MaxEvents: o.MaxEvents,
		},
		Sleep: o.Sleep, Log: o.Logger, Observe: o.Observe,
	}
	if shared.MaxEvents <= 0 {
		shared.MaxEvents = store.DefaultMaxEvents
	}
	if shared.Clock == nil {
		shared.Clock = time.Now
	}
	if shared.Sleep == nil {
		shared.Sleep = wait
	}
	if shared.Log == nil {
		shared.Log = slog.Default()
	}
	if shared.IDs == nil {
		shared.IDs = func() uuid.UUID { return uuid.Must(uuid.NewV7()) }
	} else {
		// Reading a document takes no lock, and each world has its own store lock. Calls of o.IDs
		// therefore need a separate lock.
		var mu sync.Mutex
		shared.IDs = func() uuid.UUID {
			mu.Lock()
			defer mu.Unlock()
			return o.IDs()
		}
	}
	return shared
}

// wait returns after the delay, or when the server stops.
func wait(ctx context.Context, delay time.Duration) {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
