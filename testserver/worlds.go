package testserver

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/ratelimit"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

const (
	// worldKeyPrefix is the prefix of the API key of a world; the rest is its name.
	worldKeyPrefix = DefaultAPIKey + "_"
	// maxWorlds is the number of worlds that are kept, worldIdle the time without a request
	// after which a world is dropped.
	maxWorlds = 1000
	worldIdle = time.Hour
	// maxWorldName is the length of the name of a world, in bytes.
	maxWorldName = 100
)

// World describes a world of a server.
type World struct {
	// Name is the part of its API key after phx_test_.
	Name string `json:"name"`
	// APIKey is the key whose requests it serves.
	APIKey string `json:"api_key"`
	// Created and LastUsed are by the real clock of the server, which a world cannot stop.
	Created  time.Time `json:"created"`
	LastUsed time.Time `json:"last_used"`
	// Requests is the number of requests to the API that it has answered.
	Requests int64 `json:"requests"`
}

// worlds are the worlds of a server besides its own. The map is replaced instead of changed,
// so a request finds its world without a lock.
type worlds struct {
	byName atomic.Pointer[map[string]*Server]
	// mu is held while the map is replaced.
	mu sync.Mutex
}

func newWorlds() *worlds {
	ws := &worlds{}
	ws.byName.Store(&map[string]*Server{})
	return ws
}

// checkWorldName refuses names that cannot be part of a key and of a path.
func checkWorldName(name string) error {
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_.-", r)
	}
	if name == "" || len(name) > maxWorldName || strings.ContainsFunc(name, odd) {
		return fmt.Errorf("the name of a world is 1 to %d letters, digits, dots, hyphens and underscores, is %q", maxWorldName, name)
	}
	return nil
}

// worldNameOf is a name for the world of a test. The name of a test may have any characters.
func worldNameOf(test string) string {
	if checkWorldName(test) == nil {
		return test
	}
	name := []byte(test[:min(len(test), maxWorldName/2)])
	for i, b := range name {
		if checkWorldName(string(b)) != nil {
			name[i] = '_'
		}
	}
	// The checksum distinguishes tests that differ only in what was replaced or cut.
	return fmt.Sprintf("%s-%08x", name, crc32.ChecksumIEEE([]byte(test)))
}

// worldOf is the server that serves a request: the world of its API key, or s itself.
func (s *Server) worldOf(x *exchange) *Server {
	if s.worlds == nil {
		return s
	}
	key := s.profile.keyOf(x)
	name, ok := strings.CutPrefix(key, worldKeyPrefix)
	if !ok || (*s.ownKeys.Load())[key] {
		return s
	}
	if found, ok := s.worlds.find(name, s.clock()); ok {
		return found
	}
	if checkWorldName(name) != nil {
		return s
	}
	return s.openWorld(name)
}

// find returns a world that is in use.
func (ws *worlds) find(name string, now time.Time) (*Server, bool) {
	found := (*ws.byName.Load())[name]
	if found == nil || found.isIdle(now) {
		return nil, false
	}
	found.lastUsed.Store(now.UnixNano())
	return found, true
}

func (s *Server) isIdle(now time.Time) bool {
	return now.UnixNano()-s.lastUsed.Load() > int64(worldIdle)
}

// openWorld finds or creates a world. Worlds that are idle are dropped, and the longest
// unused ones if there are too many.
func (s *Server) openWorld(name string) *Server {
	ws, now := s.worlds, s.clock()
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if found, ok := ws.find(name, now); ok {
		return found
	}

	byName := maps.Clone(*ws.byName.Load())
	for name, w := range byName {
		if w.isIdle(now) {
			s.dropWorld(byName, name)
		}
	}
	for len(byName) >= maxWorlds {
		s.dropWorld(byName, longestUnused(byName))
	}

	w := &Server{settings: s.settings, initial: s.initial, worldName: name, created: now}
	w.worldKey = &store.Key{Token: worldKeyPrefix + name, Scopes: []string{"*"}}
	w.journals.add(&w.journal)
	w.setStore(s.initial.Clone())
	w.lastUsed.Store(now.UnixNano())
	byName[name] = w
	ws.byName.Store(&byName)
	return w
}

// longestUnused is the name of the least recently used world.
func longestUnused(byName map[string]*Server) string {
	return slices.MinFunc(slices.Collect(maps.Keys(byName)), func(a, b string) int {
		return cmp.Or(cmp.Compare(byName[a].lastUsed.Load(), byName[b].lastUsed.Load()), strings.Compare(a, b))
	})
}

// errNoWorlds is the error when worlds are switched off.
var errNoWorlds = errors.New("worlds are switched off: the server was started with -worlds=false, or without Options.Worlds")

// World returns the world with a name, and creates it if needed: a server with its own
// store, a copy of the initial one, and its own journal, faults and clock. Its API key is
// phx_test_NAME. After a world is dropped, the next request with its key creates a new one,
// and the old one no longer gets requests.
func (s *Server) World(name string) (*Server, error) {
	if s.worlds == nil {
		return nil, errNoWorlds
	}
	if err := checkWorldName(name); err != nil {
		return nil, err
	}
	return s.openWorld(name), nil
}

// Worlds lists the worlds in use by name, without that of the server itself.
func (s *Server) Worlds() []World {
	listed := []World{}
	if s.worlds == nil {
		return listed
	}
	now := s.clock()
	for _, w := range *s.worlds.byName.Load() {
		if !w.isIdle(now) {
			listed = append(listed, w.world())
		}
	}
	slices.SortFunc(listed, func(a, b World) int { return strings.Compare(a.Name, b.Name) })
	return listed
}

// world describes a world.
func (s *Server) world() World {
	return World{
		Name: s.worldName, APIKey: s.worldKey.Token, Created: s.created.UTC(),
		LastUsed: time.Unix(0, s.lastUsed.Load()).UTC(), Requests: s.requests.Load(),
	}
}

// DropWorld drops a world with its contents, and reports whether it was in use.
func (s *Server) DropWorld(name string) bool {
	if s.worlds == nil {
		return false
	}
	s.worlds.mu.Lock()
	defer s.worlds.mu.Unlock()
	byName := maps.Clone(*s.worlds.byName.Load())
	dropped := byName[name]
	if dropped == nil {
		return false
	}
	s.dropWorld(byName, name)
	s.worlds.byName.Store(&byName)
	return !dropped.isIdle(s.clock())
}

// dropWorld removes a world from a map. The report keeps what was covered in it.
func (s *Server) dropWorld(byName map[string]*Server, name string) {
	byName[name].addReport(&s.collector)
	s.journals.remove(&byName[name].journal)
	delete(byName, name)
}

// findKey finds a key in the store. The key of a world is valid even if the fixtures of the
// world lack it: a test cannot lock itself out.
func (s *Server) findKey(st *store.Store, token string) (*store.Key, *store.User) {
	if key := st.Keys.Get(token); key != nil {
		return key, st.Users.Get(key.User)
	}
	if s.worldKey == nil || s.worldKey.Token != token {
		return nil, nil
	}
	return s.worldKey, st.WorldUser()
}

// setStore replaces the store. The caller holds the lock, unless the server is not in use
// yet.
func (s *Server) setStore(st *store.Store) {
	s.store, s.throttle = st, ratelimit.NewByKey(keyRates...)
	s.stoppedClock.Store(st.StoppedClock)
	own := map[string]bool{}
	for _, key := range st.KeyTokens() {
		if strings.HasPrefix(key, worldKeyPrefix) {
			own[key] = true
		}
	}
	s.ownKeys.Store(&own)

	keys := slices.Clone(st.KeyTokens())
	if s.worldKey != nil {
		keys = append(keys, s.worldKey.Token)
	}
	s.keys.Store(&keys)
}
