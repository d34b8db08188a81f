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

	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Server is the reference server, an [http.Handler] that is safe for concurrent use. It
// serves the API under /api/, its control interface, which needs no key, under
// /_testserver/, and a page for people at its root. Mount it below a path with
// [http.StripPrefix].
//
// It serves programs and its own page. A request that a page of another web site makes is
// refused, and on the loopback interface one for another name than that of the interface or
// those in Hosts of the [Options].
type Server struct {
	*settings
	// The exported methods of these are methods of the server.
	direct
	requestLog

	contents  *contents
	journal   record.Journal
	faults    faults.Active
	collector collector
	requests  atomic.Int64

	// pages serves the page; nil in a world, which the page of its server shows.
	pages http.Handler
	// worlds are the worlds of the server; nil in a world, and when they are switched off.
	worlds *worlds
	// world has the name of a world; the zero value in the server itself.
	world worldState
}

// New creates a server. The error says what is wrong with the options, or with the fixtures
// and where.
func New(options Options) (*Server, error) {
	p, err := newProfile(options.Profile)
	if err != nil {
		return nil, err
	}
	guard, err := web.NewGuard(options.Hosts)
	if err != nil {
		return nil, err
	}

	shared := newSettings(p, options)
	shared.guard = guard
	if options.Fixtures == nil {
		options.Fixtures = strings.NewReader("{}")
	}
	initial, err := readFixtures(shared, options.Fixtures)
	if err != nil {
		return nil, fmt.Errorf("fixtures: %w", err)
	}

	s := newServer(newContents(shared, initial, nil))
	if options.Worlds {
		s.worlds = &worlds{byName: map[string]*Server{}}
	}
	s.pages = pages{s}.routes()
	return s, nil
}

// newServer returns a server with contents, and without worlds and page.
func newServer(held *contents) *Server {
	s := &Server{settings: held.settings, contents: held, direct: direct{held}}
	s.requestLog = requestLog{&s.journal, &held.keys}
	return s
}

// serverContextKey is the key of the context of the server in the context of a request.
type serverContextKey struct{}

// withServerContext returns a [http.Server.BaseContext] that passes the context of the server
// to all requests.
func withServerContext(ctx context.Context) func(net.Listener) context.Context {
	base := context.WithValue(ctx, serverContextKey{}, ctx)
	return func(net.Listener) context.Context { return base }
}

// workContext is the context for the work on a request. A real service does not notice that
// its client has gone, so only the end of the server ends it.
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

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	delivered, values := s.delivered.match(r.URL.Path)
	if f := stranger(s.guard, r, delivered != nil); f != nil {
		turnAway(w, r, f)
		return
	}
	switch {
	case delivered != nil:
		s.deliver(w, r, delivered, values)
	case s.pages != nil && isPage(r):
		pages{s}.serve(w, r)
	case strings.HasPrefix(r.URL.Path, controlPrefix):
		control{s}.serve(w, r)
	case r.URL.Path == schemaPath:
		control{s}.serveSchema(w, r)
	default:
		s.serveAPI(w, r)
	}
}

// serveAPI serves a request of the API.
func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	x := newExchange(s.settings, r)
	route, values := s.routes.match(x.apiPath())
	x.values = values
	if route != nil {
		x.endpoint = route.endpoint(r.Method)
	}

	tooLarge, err := x.readBody(w, maxBody)
	if err != nil {
		// The client has gone: there is no one to respond to.
		panic(http.ErrAbortHandler)
	}
	s.worlds.serving(s, x).respond(r.Context(), w, x, route, tooLarge)
}

// respond serves a request in a world: it records it, applies faults and does the work. If
// tooLarge is not nil, it is the response in place of the work.
func (s *Server) respond(ctx context.Context, w http.ResponseWriter, x *exchange, route *route, tooLarge *wire.Failure) {
	x.world, x.contents = s.world.name, s.contents
	if route.isRemoved(s.contents) {
		route, x.endpoint = nil, nil
	}
	start := s.clock()
	arrived := s.contents.timeAt(start)
	entry := s.journal.Begin(x.entry(start, arrived))
	hit := s.faults.Hit(faults.Request{Operation: x.operation(), Method: x.request.Method, Path: x.request.URL.Path}, arrived)

	if hit.Delay > 0 {
		s.sleep(workContext(ctx), hit.Delay)
	}
	if hit.Drop == faults.Before {
		s.drop(x, entry, hit, start)
	}

	switch {
	case hit.Response != nil:
		x.reply(response{status: hit.Response.Status, header: hit.Response.Header, body: hit.Response.Body})
	case hit.Throttled > 0:
		x.reply(refusalOf(throttled(hit.Throttled)))
	case tooLarge != nil:
		x.reply(x.refusal(tooLarge))
	default:
		x.edit = hit.Edit
		x.reply(s.serveSafely(x, route))
	}

	if x.header.Get("Content-Type") == jsonContent[0] {
		x.response.body = hit.Mangle(x.response.body, x.plainTexts())
	}
	if hit.Drop == faults.After {
		s.drop(x, entry, hit, start)
	}

	// The journal is complete before the client gets the response.
	ended := s.clock()
	x.header["Date"] = []string{s.contents.timeAt(ended).UTC().Format(http.TimeFormat)}
	x.header["X-Request-Id"] = []string{strconv.FormatInt(s.requests.Add(1), 10)}
	s.journal.End(entry, x.outcome(hit, ended.Sub(start)))
	s.collector.note(x, entry)
	x.observe(hit)
	x.send(w, hit.Cut)
}

// drop closes the connection of a request without a response.
func (s *Server) drop(x *exchange, e *record.Entry, hit faults.Effect, start time.Time) {
	s.journal.End(e, record.Outcome{Duration: s.clock().Sub(start), Faults: hit.Rules})
	s.collector.note(x, e)
	panic(http.ErrAbortHandler)
}

// serve does the work of a request and returns the response, or the failure. Both bodies are in
// memory, so a slow client does not keep the store locked.
func (s *Server) serve(x *exchange, route *route) (response, *wire.Failure) {
	switch {
	case x.delivery != nil:
		return x.delivery.serve(x, route)
	case route == nil:
		return response{}, wire.NotFound("Endpoint not found.")
	}

	if x.endpoint != nil && x.endpoint.Method == http.MethodGet && x.edit == nil {
		s.contents.mu.RLock()
		defer s.contents.mu.RUnlock()
	} else {
		s.contents.mu.Lock()
		defer s.contents.mu.Unlock()
	}
	x.store = s.contents.store

	// The caller is checked before the request.
	if f := x.authorize(route); f != nil {
		return response{}, f
	}
	if x.edit != nil {
		if f := x.mergeInto(x.edit); f != nil {
			return response{}, f
		}
	}
	switch {
	case x.endpoint == nil:
		return response{}, wire.MethodNotAllowed(x.request.Method, route.allow())
	case s.profile.breaks && x.endpoint.lists() && hasHugeLimit(x.request):
		return response{}, wire.ServerError()
	}
	return x.endpoint.handle(x)
}

// Exchange is a request to the API with the response that it gets, for [Options.Observe].
type Exchange struct {
	// Method and Path are those of the request.
	Method, Path string
	// Operation is the operationId, for example surveys_list; empty when the document
	// has none for the request.
	Operation string
	// Status, Header and Body are the response. They belong to the server and are valid
	// until Observe returns.
	Status int
	Header http.Header
	Body   []byte
	// World is the name of the world that responded; empty for the server's own.
	World string
	// Fault reports whether a fault made or changed the response.
	Fault bool
}

// observe passes the complete response to the observer of the server.
func (x *exchange) observe(hit faults.Effect) {
	if x.settings.observe == nil {
		return
	}
	seen := Exchange{
		Method: x.request.Method, Path: x.request.URL.Path, Status: x.response.status, Header: x.header, Body: x.response.body,
		Fault: hit.ChangesResponse(), World: x.world,
		Operation: x.operation(),
	}
	x.settings.observe(seen)
}
