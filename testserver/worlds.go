package testserver

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

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
	// Requests is the number of requests to the API that it has served.
	Requests int64 `json:"requests"`
}

// worlds are the worlds of a server besides its own.
type worlds struct {
	mu     sync.RWMutex
	byName map[string]*Server
}

// all are the worlds, idle ones too.
func (ws *worlds) all() map[string]*Server {
	if ws == nil {
		return nil
	}
	ws.mu.RLock()
	defer ws.mu.RUnlock()
	return maps.Clone(ws.byName)
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

// serving is the server that serves a request: the world of its API key, or base itself.
func (ws *worlds) serving(base *Server, x *exchange) *Server {
	if ws == nil {
		return base
	}
	key := bearer(x.request)
	name, ok := strings.CutPrefix(key, worldKeyPrefix)
	if !ok || (*base.contents.ownKeys.Load())[key] {
		return base
	}

	if found, ok := ws.find(name, base.clock()); ok {
		return found
	}
	if checkWorldName(name) != nil {
		return base
	}
	return ws.open(base, name)
}

// find returns a world that is in use.
func (ws *worlds) find(name string, now time.Time) (*Server, bool) {
	ws.mu.RLock()
	defer ws.mu.RUnlock()
	return ws.used(name, now)
}

// used is find for callers that hold the lock.
func (ws *worlds) used(name string, now time.Time) (*Server, bool) {
	found := ws.byName[name]
	if found == nil || found.world.isIdle(now) {
		return nil, false
	}
	found.world.lastUsed.Store(now.UnixNano())
	return found, true
}

// open finds or creates a world. Worlds that are idle are dropped, and the longest unused ones
// if there are too many.
func (ws *worlds) open(base *Server, name string) *Server {
	now := base.clock()
	if found, ok := ws.find(name, now); ok {
		return found
	}
	// To copy a large store takes its time, in which the other worlds are served.
	w := newServer(newContents(base.settings, base.contents.initial, &store.Key{Token: worldKeyPrefix + name, Scopes: []string{"*"}}))
	w.world.name, w.world.created = name, now
	w.world.lastUsed.Store(now.UnixNano())

	ws.mu.Lock()
	defer ws.mu.Unlock()
	if found, ok := ws.used(name, now); ok {
		return found
	}
	for name, w := range ws.byName {
		if w.world.isIdle(now) {
			base.forget(w)
			delete(ws.byName, name)
		}
	}
	for len(ws.byName) >= maxWorlds {
		name := longestUnused(ws.byName)
		base.forget(ws.byName[name])
		delete(ws.byName, name)
	}
	ws.byName[name] = w
	return w
}

// drop drops a world, and reports whether it was in use.
func (ws *worlds) drop(base *Server, name string) bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	dropped := ws.byName[name]
	if dropped == nil {
		return false
	}
	base.forget(dropped)
	delete(ws.byName, name)
	return !dropped.world.isIdle(base.clock())
}

// longestUnused is the name of the least recently used world.
func longestUnused(byName map[string]*Server) string {
	return slices.MinFunc(slices.Collect(maps.Keys(byName)), func(a, b string) int {
		return cmp.Or(cmp.Compare(byName[a].world.lastUsed.Load(), byName[b].world.lastUsed.Load()), strings.Compare(a, b))
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
	return s.worlds.open(s, name), nil
}

// Worlds lists the worlds in use by name, without that of the server itself.
func (s *Server) Worlds() []World {
	listed := []World{}
	now := s.clock()
	for _, world := range s.worlds.all() {
		if !world.world.isIdle(now) {
			listed = append(listed, world.world.describe(world))
		}
	}
	slices.SortFunc(listed, func(a, b World) int { return strings.Compare(a.Name, b.Name) })
	return listed
}

// worldState is how a world differs from the server that it belongs to; the zero value in that
// server itself.
type worldState struct {
	name    string
	created time.Time
	// lastUsed is the time of the last request, in nanoseconds since 1970.
	lastUsed atomic.Int64
}

func (w *worldState) isIdle(now time.Time) bool {
	return now.UnixNano()-w.lastUsed.Load() > int64(worldIdle)
}

// describe describes the world that a server is.
func (w *worldState) describe(s *Server) World {
	return World{
		Name: w.name, APIKey: s.contents.worldKey.Token, Created: w.created.UTC(),
		LastUsed: time.Unix(0, w.lastUsed.Load()).UTC(), Requests: s.requests.Load(),
	}
}

// DropWorld drops a world with its contents, and reports whether it was in use.
func (s *Server) DropWorld(name string) bool {
	return s.worlds != nil && s.worlds.drop(s, name)
}

// forget ends a world that is dropped. The report keeps what was covered in it.
func (s *Server) forget(world *Server) {
	s.collector.addServer(world)
}

// worldOfToken is the world of a token, and the token of the project there: in the world NAME the
// token of a project of the initial fixtures has _NAME at its end, as keys do. A token alone makes
// no world, since any web site can send one.
func (s *Server) worldOfToken(token string) (world *Server, own string) {
	if s.world.name != "" {
		return s, strings.TrimSuffix(token, "_"+s.world.name)
	}
	if s.worlds == nil || s.contents.hasToken(token) {
		return s, token
	}

	for i := len(token) - 1; i > 0; i-- {
		if token[i] != '_' || s.contents.initial.ProjectWithToken(token[:i]) == nil {
			continue
		}
		if found, ok := s.worlds.find(token[i+1:], s.clock()); ok {
			return found, token[:i]
		}
	}
	return s, token
}

// worldOfPage is the world for what a browser asks without a token: the one that the parameter world
// names, or else the one that has a survey, whose id hardly ever is that of another one.
func (s *Server) worldOfPage(query url.Values, survey string) *Server {
	if s.worlds == nil {
		return s
	}
	if found, ok := s.worlds.find(query.Get("world"), s.clock()); ok {
		return found
	}
	if survey == "" || s.contents.hasSurvey(survey) {
		return s
	}
	for _, world := range s.Worlds() {
		if found, ok := s.worlds.find(world.Name, s.clock()); ok && found.contents.hasSurvey(survey) {
			return found
		}
	}
	return s
}

// hasSurvey reports whether the store has a survey with an id.
func (c *contents) hasSurvey(id string) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	_, err := findSurvey(c.store, id)
	return err == nil
}

// hasToken reports whether a project of the store has a token.
func (c *contents) hasToken(token string) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.store.ProjectWithToken(token) != nil
}

// ProjectToken is the token by which apps name a project in posthog.init: the api_token of the
// fixtures, with the name of the world at its end in a world. It is empty for a project without
// a token.
func (d *direct) ProjectToken(projectID string) string {
	id, err := strconv.ParseInt(projectID, 10, 64)
	d.contents.mu.RLock()
	defer d.contents.mu.RUnlock()
	found := d.contents.store.Projects.Get(id)
	if err != nil {
		return ""
	}
	return d.contents.tokenOf(found)
}

// tokenOf is the token of a project, nil for none, in the world of the contents.
func (c *contents) tokenOf(p *store.Project) string {
	if p == nil || p.Token == "" {
		return ""
	}
	if c.worldKey != nil {
		return p.Token + "_" + strings.TrimPrefix(c.worldKey.Token, worldKeyPrefix)
	}
	return p.Token
}

// appToken is the token for the project of [Server.Credentials]; empty when no surveys are served
// to apps.
func (s *Server) appToken() string {
	if !s.delivers {
		return ""
	}
	_, project, _ := s.Credentials()
	return s.ProjectToken(project)
}
