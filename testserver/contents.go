package testserver

import (
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/ratelimit"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
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
	throttle *ratelimit.ByKey
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
	c.store, c.throttle = st, ratelimit.NewByKey(keyRates...)
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
