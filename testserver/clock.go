package testserver

import (
	"time"

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
func (d *direct) SetClock(t time.Time) {
	within := withinClock(t)
	d.contents.setClock(&within)
}

func (c *contents) setClock(t *time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.store.StoppedClock = t
	c.stoppedClock.Store(t)
}

// now is the time of the server's clock.
func (c *contents) now() time.Time { return c.timeAt(c.clock()) }

// timeAt is the time of the server's clock at a time of the real one: the same, unless the
// clock is stopped.
func (c *contents) timeAt(now time.Time) time.Time {
	if stopped := c.stoppedClock.Load(); stopped != nil {
		return *stopped
	}
	return now
}

// time is the time of the store. The caller holds its lock.
func (c *contents) time() time.Time { return timeOf(c.store, c.clock) }

// timeOf is the time of a store: that at which its clock is stopped, or the real one.
func timeOf(st *store.Store, clock func() time.Time) time.Time {
	if st.StoppedClock != nil {
		return *st.StoppedClock
	}
	return clock()
}

// now is the time of the store. The caller holds its lock.
func (x *exchange) now() time.Time { return timeOf(x.store, x.clock) }
