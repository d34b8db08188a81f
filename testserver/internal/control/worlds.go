package control

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/sdk"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

const (
	// worldKeyPrefix is the prefix of a world's API key. The world's name follows it.
	worldKeyPrefix = fixtures.DefaultAPIKey + "_"
	// maxWorlds is the maximum number of worlds. worldIdle is the time after which a world without
	// requests is dropped.
	maxWorlds = 1000
	worldIdle = time.Hour
	// MaxWorldName is the maximum length of a world name, in bytes.
	MaxWorldName = 100
)

// World is a server or one of its worlds: contents with a journal, faults, and a report. It is an
// [http.Handler] that is safe for concurrent use.
type World struct {
	*Settings
	sdk.Apps
	Operations

	journal   record.Journal
	faults    faults.Active
	collector *record.Collector
	requests  atomic.Int64

	// Page serves the page. It is nil in a world, because the server's page shows all worlds.
	Page http.Handler
	// worlds are the worlds of the server. It is nil in a world, and if worlds are turned off.
	worlds *worlds
	// created is the time at which a world was created. It is zero for the server itself. lastUsed is
	// the time of the last request, in nanoseconds since 1970.
	created  time.Time
	lastUsed atomic.Int64
}

// newWorld returns a server with the given contents, without worlds and without a page.
func newWorld(shared *Settings, contents *service.Contents) *World {
	w := &World{Settings: shared, Apps: sdk.Apps{Contents: contents}, collector: record.NewCollector()}
	w.Operations = Operations{w}
	return w
}

// WorldInfo describes a world of a server.
type WorldInfo struct {
	// Name is the part of the world's API key after phx_test_.
	Name string `json:"name"`
	// APIKey is the API key of the world.
	APIKey string `json:"api_key"`
	// Created and LastUsed are times of the server's real clock, which a world cannot stop.
	Created  time.Time `json:"created"`
	LastUsed time.Time `json:"last_used"`
	// Requests is the number of API requests that the world has served.
	Requests int64 `json:"requests"`
}

// worlds are the additional worlds of a server.
type worlds struct {
	mu     sync.RWMutex
	byName map[string]*World
}

// all returns all worlds, including idle ones.
func (ws *worlds) all() map[string]*World {
	if ws == nil {
		return nil
	}
	ws.mu.RLock()
	defer ws.mu.RUnlock()
	return maps.Clone(ws.byName)
}

// CheckWorldName refuses names that cannot be part of an API key and a path.
func CheckWorldName(name string) error {
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_.-", r)
	}
	if name == "" || len(name) > MaxWorldName || strings.ContainsFunc(name, odd) {
		return fmt.Errorf("%q is not a valid world name. Use 1 to %d letters, digits, dots, hyphens, or underscores", name, MaxWorldName)
	}
	return nil
}

// serving returns the world that serves a request. It returns the world of the request's API key, or
// base.
func (ws *worlds) serving(base *World, r *http.Request) *World {
	key := service.Bearer(r)
	name, ok := strings.CutPrefix(key, worldKeyPrefix)
	if ws == nil || !ok || CheckWorldName(name) != nil || slices.Contains(base.Keys(), key) {
		return base
	}
	return ws.open(base, name)
}

// find returns the world with the given name if it is in use.
func (ws *worlds) find(name string, now time.Time) (*World, bool) {
	if ws == nil {
		return nil, false
	}
	ws.mu.RLock()
	defer ws.mu.RUnlock()
	return ws.use(name, now)
}

// use is like find, for callers that hold the lock.
func (ws *worlds) use(name string, now time.Time) (*World, bool) {
	world := ws.byName[name]
	if world == nil || world.isIdle(now) {
		return nil, false
	}
	world.lastUsed.Store(now.UnixNano())
	return world, true
}

// open returns the world with the given name, and creates it if needed. It then drops idle worlds and,
// if there are too many, the least recently used ones.
func (ws *worlds) open(base *World, name string) *World {
	now := base.Clock()
	if world, ok := ws.find(name, now); ok {
		return world
	}
	// Copying a large store takes time, so it happens without the lock.
	key := &store.Key{Token: worldKeyPrefix + name, Scopes: []string{"*"}}
	w := newWorld(base.Settings, service.NewContents(base.Contents.Settings, base.Initial, name, key))
	w.created = now
	w.lastUsed.Store(now.UnixNano())

	ws.mu.Lock()
	defer ws.mu.Unlock()
	if world, ok := ws.use(name, now); ok {
		return world
	}
	for name, w := range ws.byName {
		if w.isIdle(now) {
			ws.forget(base, name)
		}
	}
	for len(ws.byName) >= maxWorlds {
		ws.forget(base, leastRecent(ws.byName))
	}
	ws.byName[name] = w
	return w
}

// forget drops a world. The server's report keeps the world's problems.
func (ws *worlds) forget(base *World, name string) {
	ws.byName[name].AddProblems(base.collector)
	delete(ws.byName, name)
}

// leastRecent returns the name of the least recently used world.
func leastRecent(byName map[string]*World) string {
	return slices.MinFunc(slices.Collect(maps.Keys(byName)), func(a, b string) int {
		return cmp.Or(cmp.Compare(byName[a].lastUsed.Load(), byName[b].lastUsed.Load()), strings.Compare(a, b))
	})
}

func (w *World) isIdle(now time.Time) bool {
	return now.UnixNano()-w.lastUsed.Load() > int64(worldIdle)
}

// errNoWorlds is the error if worlds are turned off.
var errNoWorlds = errors.New("worlds are turned off, because the server was started with -worlds=false, or without Options.Worlds")

// Open returns the world with the given name, and creates it if needed.
func (w *World) Open(name string) (*World, error) {
	if w.worlds == nil {
		return nil, errNoWorlds
	}
	if err := CheckWorldName(name); err != nil {
		return nil, err
	}
	return w.worlds.open(w, name), nil
}

// Find returns the world with the given name if it is in use. For an empty name, it returns the server
// itself.
func (w *World) Find(name string) (*World, bool) {
	if name == "" {
		return w, true
	}
	return w.worlds.find(name, w.Clock())
}

// Worlds lists the worlds in use, sorted by name. The list does not include the server itself.
func (o Operations) Worlds() []WorldInfo {
	listed := []WorldInfo{}
	for _, w := range o.world.worlds.all() {
		if !w.isIdle(w.Clock()) {
			listed = append(listed, WorldInfo{
				Name: w.WorldName, APIKey: w.WorldKey.Token, Created: w.created.UTC(),
				LastUsed: time.Unix(0, w.lastUsed.Load()).UTC(), Requests: w.requests.Load(),
			})
		}
	}
	slices.SortFunc(listed, func(a, b WorldInfo) int { return strings.Compare(a.Name, b.Name) })
	return listed
}

// DropWorld drops a world and its contents, and reports whether the world was in use.
func (o Operations) DropWorld(name string) bool {
	ws := o.world.worlds
	if ws == nil {
		return false
	}
	ws.mu.Lock()
	defer ws.mu.Unlock()
	dropped := ws.byName[name]
	if dropped == nil {
		return false
	}
	ws.forget(o.world, name)
	return !dropped.isIdle(o.world.Clock())
}

// worldOfToken returns the world of a project token, and the project's own token in that world. In the
// world NAME, tokens of projects of the initial fixtures end in _NAME, as API keys do. A token never
// creates a world, because any website can send one.
func (w *World) worldOfToken(token string) (world *World, projectToken string) {
	if w.WorldName != "" {
		return w, strings.TrimSuffix(token, "_"+w.WorldName)
	}
	if w.worlds == nil || w.has(func(st *store.Store) bool { return st.ProjectWithToken(token) != nil }) {
		return w, token
	}
	for i := len(token) - 1; i > 0; i-- {
		if token[i] != '_' || w.Initial.ProjectWithToken(token[:i]) == nil {
			continue
		}
		if world, ok := w.worlds.find(token[i+1:], w.Clock()); ok {
			return world, token[:i]
		}
	}
	return w, token
}

// worldOfPage returns the world for a browser request without a token. It returns the world that the
// parameter world selects, or a world that contains the survey. Survey IDs of different worlds are
// very unlikely to collide.
func (w *World) worldOfPage(query url.Values, survey string) *World {
	if world, ok := w.worlds.find(query.Get("world"), w.Clock()); ok {
		return world
	}
	isThere := func(st *store.Store) bool { _, err := st.FindSurvey(survey); return err == nil }
	if survey == "" || w.has(isThere) {
		return w
	}
	for _, world := range w.Worlds() {
		if candidate, ok := w.worlds.find(world.Name, w.Clock()); ok && candidate.has(isThere) {
			return candidate
		}
	}
	return w
}

// has reports whether the store satisfies matches.
func (w *World) has(matches func(*store.Store) bool) bool {
	w.Mu.RLock()
	defer w.Mu.RUnlock()
	return matches(w.Store)
}
