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
	// worldKeyPrefix is the prefix of the API key of a world; the rest is its name.
	worldKeyPrefix = fixtures.DefaultAPIKey + "_"
	// maxWorlds is the number of worlds that are kept, worldIdle the time without a request
	// after which a world is dropped.
	maxWorlds = 1000
	worldIdle = time.Hour
	// MaxWorldName is the length of the name of a world, in bytes.
	MaxWorldName = 100
)

// World is a server, or one of its worlds: contents with a journal, faults and a report. It is an
// [http.Handler] that is safe for concurrent use.
type World struct {
	*Settings
	sdk.Apps
	Operations

	journal   record.Journal
	faults    faults.Active
	collector *record.Collector
	requests  atomic.Int64

	// Page serves the page; nil in a world, which the page of its server shows.
	Page http.Handler
	// worlds are the worlds of the server; nil in a world, and when they are switched off.
	worlds *worlds
	// created is zero in the server itself. lastUsed is the time of the last request, in
	// nanoseconds since 1970.
	created  time.Time
	lastUsed atomic.Int64
}

// newWorld returns a server with contents, and without worlds and page.
func newWorld(shared *Settings, contents *service.Contents) *World {
	w := &World{Settings: shared, Apps: sdk.Apps{Contents: contents}, collector: record.NewCollector()}
	w.Operations = Operations{w}
	return w
}

// WorldInfo describes a world of a server.
type WorldInfo struct {
	// Name is the part of its API key after phx_test_.
	Name string `json:"name"`
	// APIKey is the key whose requests it serves.
	APIKey string `json:"api_key"`
	// Created and LastUsed are by the real clock of the server, which a world cannot stop.
	Created  time.Time `json:"created"`
	LastUsed time.Time `json:"last_used"`
	// Requests is the number of requests to the API that it has served.
	Requests int64 `json:"requests"`
}

// worlds are the additional worlds of a server.
type worlds struct {
	mu     sync.RWMutex
	byName map[string]*World
}

// all returns the worlds, idle ones too.
func (ws *worlds) all() map[string]*World {
	if ws == nil {
		return nil
	}
	ws.mu.RLock()
	defer ws.mu.RUnlock()
	return maps.Clone(ws.byName)
}

// CheckWorldName refuses names that cannot be part of a key and of a path.
func CheckWorldName(name string) error {
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_.-", r)
	}
	if name == "" || len(name) > MaxWorldName || strings.ContainsFunc(name, odd) {
		return fmt.Errorf("the name of a world is 1 to %d letters, digits, dots, hyphens and underscores, is %q", MaxWorldName, name)
	}
	return nil
}

// serving returns the world that serves a request: the world of its API key, or base itself.
func (ws *worlds) serving(base *World, r *http.Request) *World {
	key := service.Bearer(r)
	name, ok := strings.CutPrefix(key, worldKeyPrefix)
	if ws == nil || !ok || CheckWorldName(name) != nil || slices.Contains(base.Keys(), key) {
		return base
	}
	return ws.open(base, name)
}

// find returns a world that is in use.
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

// open finds or creates a world. Worlds that are idle are dropped, and the longest unused ones
// if there are too many.
func (ws *worlds) open(base *World, name string) *World {
	now := base.Clock()
	if world, ok := ws.find(name, now); ok {
		return world
	}
	// To copy a large store takes its time, in which the other worlds are served.
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

// forget drops a world. The report of the server keeps what was found in it.
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

// errNoWorlds is the error when worlds are switched off.
var errNoWorlds = errors.New("worlds are turned off, because the server was started with -worlds=false, or without Options.Worlds")

// Open returns the world with a name, and creates it if needed.
func (w *World) Open(name string) (*World, error) {
	if w.worlds == nil {
		return nil, errNoWorlds
	}
	if err := CheckWorldName(name); err != nil {
		return nil, err
	}
	return w.worlds.open(w, name), nil
}

// Find returns the world with a name, if it is in use; the server itself for none.
func (w *World) Find(name string) (*World, bool) {
	if name == "" {
		return w, true
	}
	return w.worlds.find(name, w.Clock())
}

// Worlds lists the worlds in use by name. The list doesn't include the server itself.
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

// DropWorld drops a world with its contents, and reports whether it was in use.
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

// worldOfToken returns the world of a project token, and the token that the project has there. In the
// world NAME, the token of a project of the initial fixtures ends in _NAME, as API keys do. A token
// never creates a world, because any website can send one.
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

// worldOfPage returns the world for a browser request without a token: the world that the parameter
// world selects. Otherwise, it returns a world that has the survey. Survey IDs of two worlds hardly
// ever collide.
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

// has asks something of the store.
func (w *World) has(matches func(*store.Store) bool) bool {
	w.Mu.RLock()
	defer w.Mu.RUnlock()
	return matches(w.Store)
}
