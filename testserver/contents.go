package testserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// contents are the objects of a server, or of one of its worlds, with the lock, the clock and
// the keys that belong to them.
type contents struct {
	*settings

	// mu guards store and its contents; requests that only read share it.
	mu    storeLock
	store *store.Store
	// arrived happens when there may be other events of surveys.
	arrived record.Signal
	// flags are the flags of the store, read to be evaluated.
	flags evaluatedFlags
	// throttle counts the requests of each key since the store was set.
	throttle *faults.ByKey
	// initial is the store at the start, for resets. It is never changed.
	initial *store.Store
	// stoppedClock is that of the store, for readers that do not hold the lock.
	stoppedClock atomic.Pointer[time.Time]
	// removed is what is removed from the store, for the same readers.
	removed atomic.Pointer[[]string]
	// keys are the keys of the store, and that of a world.
	keys atomic.Pointer[[]string]
	// ownKeys are the keys of the store that have the form of a world's key.
	ownKeys atomic.Pointer[map[string]bool]
	// worldKey is the key of a world; nil otherwise.
	worldKey *store.Key
}

// newContents returns contents that begin with a copy of a store.
func newContents(shared *settings, initial *store.Store, worldKey *store.Key) *contents {
	c := &contents{settings: shared, initial: initial, worldKey: worldKey}
	c.setStore(initial.Clone())
	return c
}

// setStore replaces the store. The caller holds the lock, unless the contents are not in use
// yet.
func (c *contents) setStore(st *store.Store) {
	c.store, c.throttle = st, faults.NewByKey(keyRates...)
	c.stoppedClock.Store(st.StoppedClock)
	c.removed.Store(&st.Removed)

	own := map[string]bool{}
	for _, key := range st.KeyTokens() {
		if strings.HasPrefix(key, worldKeyPrefix) {
			own[key] = true
		}
	}
	c.ownKeys.Store(&own)

	keys := slices.Clone(st.KeyTokens())
	if c.worldKey != nil {
		keys = append(keys, c.worldKey.Token)
	}
	c.keys.Store(&keys)
	c.arrived.Happened()
}

// findKey finds a key in the store. The key of a world is valid even if the fixtures of the
// world lack it: a test cannot lock itself out.
func (c *contents) findKey(token string) (*store.Key, *store.User) {
	if key := c.store.Keys.Get(token); key != nil {
		return key, c.store.Users.Get(key.User)
	}
	if c.worldKey == nil || c.worldKey.Token != token {
		return nil, nil
	}
	return c.worldKey, c.store.WorldUser()
}

// entries is the encoding of objects as entries of a fixtures document. The caller holds the
// lock.
func (c *contents) entries() encoding {
	return encoding{profile: c.profile, store: c.store, asEntry: true}
}

// editor returns a loader for the store. The caller holds the lock.
func (c *contents) editor() *loader {
	return &loader{profile: c.profile, store: c.store, ids: c.ids, now: c.time(), author: c.store.FirstMember(), editing: true}
}

// readClock reads the key clock: the time at which the clock is stopped, or null for a clock
// that runs.
func readClock(o *wire.Entry) *time.Time {
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

// RemovedImportApps names the import apps among what is removed from a server: the routes with
// pipeline_import_apps in their path. The scope plugin goes with them, since no other route
// asks for it; keys that have it keep it.
const RemovedImportApps = "pipeline_import_apps"

// removable is what can be removed, each by the part of the path that its routes have.
var removable = []string{RemovedImportApps}

// checkRemovable refuses names that are not removable.
func checkRemovable(names []string) error {
	for _, name := range names {
		if !slices.Contains(removable, name) {
			return fmt.Errorf("%q cannot be removed, only %s", name, strings.Join(removable, ", "))
		}
	}
	return nil
}

// SetRemoved removes routes, as the service does when it gives up an API: each of their
// requests, with or without a key, gets 404 "Endpoint not found." from then on. What is not
// named is there again. The objects stay in the store, and nobody but the methods of the
// server, the fixtures and the page sees them. See [RemovedImportApps].
func (d *direct) SetRemoved(names ...string) error {
	if err := checkRemovable(names); err != nil {
		return fmt.Errorf("removed: %w", err)
	}
	names = slices.Compact(slices.Sorted(slices.Values(names)))

	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	d.contents.store.Removed = names
	d.contents.removed.Store(&names)
	return nil
}

// Removed is what is removed from the server.
func (d *direct) Removed() []string { return slices.Clone(d.contents.removedNames()) }

// removedNames is what is removed, for readers that do not hold the lock.
func (c *contents) removedNames() []string {
	if names := c.removed.Load(); names != nil {
		return *names
	}
	return nil
}

// isRemoved reports whether a route is removed from the contents of a server.
func (r *route) isRemoved(c *contents) bool {
	return r != nil && slices.ContainsFunc(c.removedNames(), func(name string) bool { return slices.Contains(r.segments, name) })
}

// readRemoved reads the key removed: a list of names.
func readRemoved(o *wire.Entry) []string {
	if !o.Has("removed") || o.Fields.IsNull("removed") {
		return nil
	}
	names := o.Texts("removed")
	if err := checkRemovable(names); err != nil && o.Err == nil {
		o.Fail("removed", "%s", err)
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// RunJobs runs the periodic jobs of the service once, at the time of the server's clock: it
// stops surveys that have reached their responses_limit, which becomes null, stops
// recurring ones after their last iteration, and moves others to their current iteration.
// The flags of a survey that a job stops stay as they are until the next update. Responses
// are those of the fixtures.
func (s *Server) RunJobs() { jobs{s.contents}.run() }

// jobs change surveys without a request, as time passes.
type jobs struct{ *contents }

// run runs the jobs once.
func (j jobs) run() {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := j.time()
	for _, project := range j.store.Projects.Sorted() {
		for _, found := range j.store.SurveysOf(project.ID).Items {
			j.stopAtLimit(found, now)
			j.iterate(j.store.Survey(found.ID), now)
		}
	}
}

// stopAtLimit stops a survey that has reached its responses_limit.
func (j jobs) stopAtLimit(found *store.Survey, now time.Time) {
	stored := found.Fields()
	if wire.IsNull(stored["responses_limit"]) || !wire.IsNull(stored["end_date"]) {
		return
	}
	count := j.store.ResponsesUntil(found, now)
	if count == 0 || count < stored.Integer("responses_limit") {
		return
	}
	j.store.ChangeSurvey(found, wire.RawFields{"end_date": wire.TimestampText(now), "responses_limit": json.RawMessage("null")})
}

// iterate stops a recurring survey after its last iteration, or moves it to the current
// one.
func (j jobs) iterate(found *store.Survey, now time.Time) {
	stored := found.Fields()
	recurring := !wire.IsNull(stored["start_date"]) && wire.IsNull(stored["end_date"]) && !wire.IsNull(stored["iteration_count"])
	if !recurring || !wire.IsArray(stored["iteration_start_dates"]) || j.profile.checks && wire.Unquote(stored["schedule"]) != "recurring" {
		return
	}
	if service.IterationsOver(stored, now) {
		after := j.store.ChangeSurvey(found, wire.RawFields{"end_date": wire.TimestampText(now)})
		j.logChange("updated", 0, after, changesBetween(j.store, found, after))
		return
	}
	n, start := service.IterationAt(stored, now)
	if n == 0 || n == stored.Integer("current_iteration") {
		return
	}
	after := j.store.ChangeSurvey(found, wire.RawFields{"current_iteration": wire.Encode(n), "current_iteration_start_date": start})
	j.service().BeginIteration(after)
}
