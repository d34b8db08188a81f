package testserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// readClock reads the key clock: the time at which the clock is stopped, or null for a clock
// that runs.
func readClock(o *strictjson.Object) *time.Time {
	if !o.Has("clock") || o.Fields.IsNull("clock") {
		return nil
	}
	t, err := time.Parse(time.RFC3339, o.Text("clock", ""))
	if err != nil {
		o.Fail("clock", "must be a date-time of RFC 3339 as 2026-01-31T12:00:00Z, is %s", o.Fields["clock"])
	}
	if !withinClock(t).Equal(t) {
		o.Fail("clock", "must be between the years %d and %d", earliestClock.Year(), latestClock.Year())
	}
	return &t
}

func (c control) putClock(r *http.Request) error {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	if !json.Valid(raw) {
		return fmt.Errorf(`clock: the body must be {"clock": "2026-01-31T12:00:00Z"}, it is not JSON`)
	}
	o := strictjson.Read("", rawjson.MustCompact(raw), []string{"clock"})
	o.Require("clock")
	stopped := readClock(o)
	if o.Err != nil {
		return fmt.Errorf("clock: %w", o.Err)
	}
	c.server.setClock(stopped)
	return nil
}

// The times between which the clock can be stopped. The surveys that are made then have dates
// of their own, which must be written with four digits for the year.
var (
	earliestClock = time.Date(1000, 1, 1, 0, 0, 0, 0, time.UTC)
	latestClock   = time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC)
)

// withinClock is the time that is nearest to t at which the clock can be stopped.
func withinClock(t time.Time) time.Time {
	switch {
	case t.Before(earliestClock):
		return earliestClock
	case t.After(latestClock):
		return latestClock
	}
	return t
}

// SetClock stops the server's clock at a time between the years 1000 and 9000, or at the
// nearest one.
func (s *Server) SetClock(t time.Time) {
	within := withinClock(t)
	s.setClock(&within)
}

func (s *Server) setClock(t *time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store.StoppedClock = t
	s.stoppedClock.Store(t)
}

// now is the time of the server's clock.
func (s *Server) now() time.Time { return s.timeAt(s.clock()) }

// timeAt is the time of the server's clock at a time of the real one: the same, unless the
// clock is stopped.
func (s *Server) timeAt(now time.Time) time.Time {
	if stopped := s.stoppedClock.Load(); stopped != nil {
		return *stopped
	}
	return now
}

// time is the time of a store. The caller holds its lock.
func (s *Server) time(st *store.Store) time.Time {
	if st.StoppedClock != nil {
		return *st.StoppedClock
	}
	return s.clock()
}

// now is the time of the server's store. The caller holds its lock.
func (x *exchange) now() time.Time { return x.server.time(x.server.store) }
