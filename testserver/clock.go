package testserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
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
	return &t
}

func (s *Server) putClock(r *http.Request) error {
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
	s.setClock(stopped)
	return nil
}

// SetClock stops the server's clock at a time.
func (s *Server) SetClock(t time.Time) { s.setClock(&t) }

func (s *Server) setClock(t *time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store.stoppedClock = t
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
func (s *Server) time(st *store) time.Time {
	if st.stoppedClock != nil {
		return *st.stoppedClock
	}
	return s.clock()
}

// now is the time of the server's store. The caller holds its lock.
func (x *exchange) now() time.Time { return x.server.time(x.server.store) }
