package testserver

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Server is the reference server, an [http.Handler] that is safe for concurrent
// use. It serves the API under /api/ and its control interface, which needs no
// key, under /_testserver/; at its root is a page for a person. Mount it below a path with
// [http.StripPrefix].
type Server struct {
	settings

	// mu guards store and what is in it: reading requests share it.
	mu    storeLock
	store *store
	// initial is the store of the start, for resets. It is never changed.
	initial *store
	// stoppedClock is that of the store, for those who do not hold the lock.
	stoppedClock atomic.Pointer[time.Time]

	journal   journal
	faults    faults
	collector collector
	requests  atomic.Int64
	date      dateHeader

	// pages serves the page for a person; nil in a world, which that of its server shows.
	pages http.Handler
	// worlds are those beside this one; nil in a world, and when there are none.
	worlds *worlds
	// ownKeys are the keys of the store that have the form of the key of a world.
	ownKeys atomic.Pointer[map[string]bool]
	// worldName and worldKey are those of a world, which was created at a time; empty
	// otherwise.
	worldName string
	worldKey  *apiKey
	created   time.Time
	// lastUsed is the time of the last request to a world, in nanoseconds since 1970.
	lastUsed atomic.Int64
}

// New makes a server. The error says what is wrong with the options or where in
// the fixtures.
func New(options Options) (*Server, error) {
	p, err := profileNamed(options.Profile)
	if err != nil {
		return nil, err
	}
	s := &Server{settings: newSettings(p, options)}
	if options.Worlds {
		s.worlds = newWorlds()
	}

	if options.Fixtures == nil {
		options.Fixtures = strings.NewReader("{}")
	}

	if s.initial, err = s.readFixtures(options.Fixtures); err != nil {
		return nil, fmt.Errorf("fixtures: %w", err)
	}

	s.setStore(s.initial.clone())
	s.pages = s.pageRoutes()
	return s, nil
}

// serverContextKey finds the context of the server that a request came to.
type serverContextKey struct{}

// withServerContext makes a context the base of all requests of a server, which stops with it.
func withServerContext(ctx context.Context) func(net.Listener) context.Context {
	base := context.WithValue(ctx, serverContextKey{}, ctx)
	return func(net.Listener) context.Context { return base }
}

// workContext is the context of the work on a request. A service does not see that its
// client has gone, and works on.
func workContext(request context.Context) context.Context {
	if server, ok := request.Value(serverContextKey{}).(context.Context); ok {
		return server
	}
	return context.WithoutCancel(request)
}

// wait sleeps until the delay is over or the server stops.
func wait(ctx context.Context, delay time.Duration) {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.pages != nil && isPage(r) {
		s.servePage(w, r)
		return
	}
	if strings.HasPrefix(r.URL.Path, controlPrefix) {
		s.serveControl(w, r)
		return
	}
	if r.URL.Path == schemaPath {
		s.serveSchema(w, r)
		return
	}

	x := newExchange(s, r)
	defer x.release()
	route, values := s.routes.match(s.profile.path(x))
	if route != nil {
		x.endpoint = route.endpoint(r.Method)
	}

	tooLarge, err := x.readBody(w)
	if err != nil {
		// The request broke off: there is no one to answer.
		panic(http.ErrAbortHandler)
	}
	s.worldOf(x).answer(r.Context(), w, x, route, values, tooLarge)
}

// answer answers a request in a world. What tooLarge says of the body, if it is not nil,
// is answered in place of doing the work.
func (s *Server) answer(ctx context.Context, w http.ResponseWriter, x *exchange, route *route, values []pathValue, tooLarge *failure) {
	x.server = s
	start := s.clock()
	arrived := s.timeAt(start)
	entry := s.journal.begin(x, arrived)
	hit := s.faults.hit(x, arrived)

	if hit.delay > 0 {
		s.sleep(workContext(ctx), hit.delay)
	}
	if hit.drop == dropBefore {
		s.drop(x, entry, hit, start)
	}

	switch {
	case hit.answer != nil:
		hit.answer(x)
	case tooLarge != nil:
		x.refuse(tooLarge)
	default:
		x.edit = hit.edit
		s.serveSafely(x, route, values)
	}

	x.mangle(hit)
	if hit.drop == dropAfter {
		s.drop(x, entry, hit, start)
	}

	// The journal is complete before the client can have the answer.
	ended, id := s.clock(), s.requests.Add(1)
	now := s.timeAt(ended)
	s.journal.finish(entry, x.ending(hit, id, now, ended.Sub(start)))
	s.collector.note(x, entry, x.status)
	x.observe(hit)
	x.header["X-Request-Id"] = []string{strconv.FormatInt(id, 10)}
	x.send(w, now, hit.cut)
}

// drop closes the connection of a request without an answer.
func (s *Server) drop(x *exchange, e *entry, hit effect, start time.Time) {
	ended := s.clock()
	s.journal.finish(e, ending{duration: ended.Sub(start), at: s.timeAt(ended), hits: hit.hits})
	s.collector.note(x, e, 0)
	panic(http.ErrAbortHandler)
}

// serve does the work of a request and prepares its answer. Bodies are in memory
// on both sides, so a slow client does not keep the store locked.
func (s *Server) serve(x *exchange, route *route, values []pathValue) {
	if route == nil {
		x.refuse(notFound("Endpoint not found."))
		return
	}

	if x.endpoint != nil && x.endpoint.Method == http.MethodGet && x.edit == nil {
		s.mu.RLock()
		defer s.mu.RUnlock()
	} else {
		s.mu.Lock()
		defer s.mu.Unlock()
	}

	// Who asks comes before what is asked for.
	f := s.profile.authorize(x, s.store, route, values)
	if f == nil {
		f = x.checkThrottle(s.store)
	}
	if f == nil && x.edit != nil {
		f = x.editBefore(values)
	}
	if f != nil {
		x.refuse(f)
		return
	}

	if x.request.Method == http.MethodOptions && s.profile.options {
		x.describe(route)
		return
	}
	if x.endpoint == nil {
		x.refuse(methodNotAllowed(x.request.Method, route.allow()))
		return
	}

	if s.profile.failsAtHugeLimit && x.request.URL.RawQuery != "" && x.endpoint.lists() && x.hugeLimit() {
		x.refuse(serverError())
		return
	}

	x.endpoint.serveBound(x, values)
}
