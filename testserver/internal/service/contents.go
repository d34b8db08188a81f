package service

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// Settings are shared by all worlds of a server, and never change.
type Settings struct {
	*Profile
	// Clock is the real clock, IDs the source of ids.
	Clock func() time.Time
	IDs   func() uuid.UUID
	// Delivers is set when surveys are served to SDKs. Throttling limits all keys, Strict refuses
	// undocumented fields.
	Delivers, Throttling, Strict bool
	// MaxEvents is the number of events that a store keeps.
	MaxEvents int
}

// Contents are the objects of a server, or of one of its worlds, with the lock, the clock and
// the keys that belong to them.
type Contents struct {
	*Settings

	// Mu guards Store and its contents; requests that only read share it.
	Mu    Lock
	Store *store.Store
	// Arrived happens when there may be other events of surveys.
	Arrived Signal
	// throttle counts the requests of each key since the store was set.
	throttle *faults.ByKey
	// Initial is the store at the start, for resets. It is never changed.
	Initial *store.Store
	// stoppedClock is the stopped clock of the store, for readers that don't hold the lock.
	stoppedClock atomic.Pointer[time.Time]
	// removed is what is removed from the store, for the same readers.
	removed atomic.Pointer[[]string]
	// keys are the keys of the store, and the key of a world.
	keys atomic.Pointer[[]string]
	// WorldName is the name of a world, and WorldKey its key; empty in the server itself.
	WorldName string
	WorldKey  *store.Key
}

// Lock guards a store, and notices when it may have changed: after each Unlock.
type Lock struct {
	sync.RWMutex
	// Changed holds a value when the store may have changed since the last receive; nil when
	// no one asks.
	Changed chan struct{}
}

// Unlock unlocks the store, which may have changed.
func (l *Lock) Unlock() {
	l.RWMutex.Unlock()
	select {
	case l.Changed <- struct{}{}:
	default:
	}
}

// NewContents returns contents that begin with a copy of a store.
func NewContents(shared *Settings, initial *store.Store, world string, worldKey *store.Key) *Contents {
	c := &Contents{Settings: shared, Initial: initial, WorldName: world, WorldKey: worldKey}
	c.SetStore(initial.Clone())
	return c
}

// SetStore replaces the store. The caller holds the lock, unless the contents are not in use
// yet.
func (c *Contents) SetStore(st *store.Store) {
	c.Store, c.throttle = st, faults.NewByKey(keyRates...)
	c.stoppedClock.Store(st.StoppedClock)
	c.removed.Store(&st.Removed)
	keys := slices.Clone(st.KeyTokens())
	if c.WorldKey != nil {
		keys = append(keys, c.WorldKey.Token)
	}
	c.keys.Store(&keys)
	c.Arrived.Notify()
}

// Keys returns the API keys, including the key of a world.
func (c *Contents) Keys() []string { return *c.keys.Load() }

// Service returns the service with the store. The caller holds the lock.
func (c *Contents) Service() Service {
	return Service{Settings: c.Settings, Store: c.Store, Now: StoreTime(c.Store, c.Clock), worldKey: c.WorldKey, throttle: c.throttle}
}

// StopClock stops the clock at a time; nil lets it run. PostHog's periodic jobs have run
// by then, as they have when as much time has really passed.
func (c *Contents) StopClock(t *time.Time) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.Store.StoppedClock = t
	c.stoppedClock.Store(t)
	c.Service().RunJobs()
}

// Now returns the time of the server's clock, for those who do not hold the lock.
func (c *Contents) Now() time.Time { return c.ServerTime(c.Clock()) }

// ServerTime returns the time of the server's clock at a time of the real one: the same, unless the
// clock is stopped.
func (c *Contents) ServerTime(now time.Time) time.Time {
	if stopped := c.stoppedClock.Load(); stopped != nil {
		return *stopped
	}
	return now
}

// StoreTime returns the time of a store: that at which its clock is stopped, or the real one.
func StoreTime(st *store.Store, clock func() time.Time) time.Time {
	if st.StoppedClock != nil {
		return *st.StoppedClock
	}
	return clock()
}

// Remove removes the routes whose path contains one of the names, and restores all others.
func (c *Contents) Remove(names []string) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.Store.Removed = names
	c.removed.Store(&names)
}

// RemovedNames returns the names of the removed routes, for callers that don't hold the lock.
func (c *Contents) RemovedNames() []string { return *c.removed.Load() }

// WorldToken returns the token of a project, which may be nil. In a world, the token ends in its name.
func (c *Contents) WorldToken(p *store.Project) string {
	switch {
	case p == nil || p.Token == "":
		return ""
	case c.WorldName == "":
		return p.Token
	}
	return p.Token + "_" + c.WorldName
}

// Signal wakes those who wait for something that happens now and then.
type Signal struct {
	mu   sync.Mutex
	wake chan struct{}
}

// Next returns a channel that is closed at the next signal.
func (s *Signal) Next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wake == nil {
		s.wake = make(chan struct{})
	}
	return s.wake
}

// Notify wakes all who wait.
func (s *Signal) Notify() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wake != nil {
		close(s.wake)
		s.wake = nil
	}
}
