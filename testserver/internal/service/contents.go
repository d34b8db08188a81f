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

// Settings are shared by all worlds of a server and never change.
type Settings struct {
	*Profile
	// Clock is the real clock. IDs is the source of IDs.
	Clock func() time.Time
	IDs   func() uuid.UUID
	// Delivers turns on serving surveys to SDKs. Throttling limits the requests of all keys. Strict refuses
	// undocumented fields.
	Delivers, Throttling, Strict bool
	// MaxEvents is the maximum number of events in a store.
	MaxEvents int
}

// Contents are the objects of a server or a world, with their lock, clock, and API keys.
type Contents struct {
	*Settings

	// Mu guards Store and its objects. Requests that only read share the lock.
	Mu    Lock
	Store *store.Store
	// Arrived signals that new survey events may be available.
	Arrived Signal
	// throttle counts the requests of each key since the store was set.
	throttle *faults.ByKey
	// Initial is the initial store, which a reset restores. It never changes.
	Initial *store.Store
	// stoppedClock is the stopped clock of the store, for readers without the lock.
	stoppedClock atomic.Pointer[time.Time]
	// removed contains the names of removed routes, for readers without the lock.
	removed atomic.Pointer[[]string]
	// keys are the keys of the store and the world's own key.
	keys atomic.Pointer[[]string]
	// WorldName is the name of the world, and WorldKey is its API key. Both are empty for the server itself.
	WorldName string
	WorldKey  *store.Key
}

// Lock guards a store. After each Unlock, it signals that the store may have changed.
type Lock struct {
	sync.RWMutex
	// Changed holds a value if the store may have changed since the last receive. It is nil if no one
	// needs the signal.
	Changed chan struct{}
}

// Unlock unlocks the store and signals that the store may have changed.
func (l *Lock) Unlock() {
	l.RWMutex.Unlock()
	select {
	case l.Changed <- struct{}{}:
	default:
	}
}

// NewContents returns contents whose store is a copy of initial.
func NewContents(shared *Settings, initial *store.Store, world string, worldKey *store.Key) *Contents {
	c := &Contents{Settings: shared, Initial: initial, WorldName: world, WorldKey: worldKey}
	c.SetStore(initial.Clone())
	return c
}

// SetStore replaces the store. The caller must hold the lock, unless the contents are not in use yet.
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

// Keys returns all API keys, including the world's own key.
func (c *Contents) Keys() []string { return *c.keys.Load() }

// Service returns the service for the store. The caller must hold the lock.
func (c *Contents) Service() Service {
	return Service{Settings: c.Settings, Store: c.Store, Now: StoreTime(c.Store, c.Clock), worldKey: c.WorldKey, throttle: c.throttle}
}

// StopClock stops the clock at t, or starts it if t is nil. It first runs PostHog's periodic jobs, which
// would have run if the time had really passed.
func (c *Contents) StopClock(t *time.Time) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.Store.StoppedClock = t
	c.stoppedClock.Store(t)
	c.Service().RunJobs()
}

// Now returns the time of the server's clock, for callers without the lock.
func (c *Contents) Now() time.Time { return c.ServerTime(c.Clock()) }

// ServerTime converts a time of the real clock to the server's clock. The two are equal unless the server's
// clock is stopped.
func (c *Contents) ServerTime(now time.Time) time.Time {
	if stopped := c.stoppedClock.Load(); stopped != nil {
		return *stopped
	}
	return now
}

// StoreTime returns the time at which the store's clock is stopped, or the real time.
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

// RemovedNames returns the names of the removed routes, for callers without the lock.
func (c *Contents) RemovedNames() []string { return *c.removed.Load() }

// WorldToken returns the token of a project, or "" if p is nil. In a world, the token ends in the world's
// name.
func (c *Contents) WorldToken(p *store.Project) string {
	switch {
	case p == nil || p.Token == "":
		return ""
	case c.WorldName == "":
		return p.Token
	}
	return p.Token + "_" + c.WorldName
}

// Signal wakes goroutines that wait for an event.
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

// Notify wakes all waiting goroutines.
func (s *Signal) Notify() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wake != nil {
		close(s.wake)
		s.wake = nil
	}
}
