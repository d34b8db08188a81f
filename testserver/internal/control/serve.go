package control

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/sdk"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// maxBody is the maximum size of a request body.
const maxBody = 20 << 20

// Settings are shared by all worlds of a server and never change.
type Settings struct {
	service.Settings
	Sleep   func(context.Context, time.Duration)
	Log     *slog.Logger
	Observe func(Exchange)
	// Guard detects requests that the server must refuse.
	Guard *web.Guard
	// routes are the paths of the API, and delivered are the paths for SDKs.
	routes    *service.Paths[*service.Operation]
	delivered *service.Paths[*sdk.Operation]
}

// New returns a server whose store starts as a copy of initial. hasWorlds enables worlds.
func New(shared *Settings, initial *store.Store, hasWorlds bool) *World {
	shared.routes, shared.delivered = shared.Routes(), sdk.Paths()
	w := newWorld(shared, service.NewContents(&shared.Settings, initial, "", nil))
	if hasWorlds {
		w.worlds = &worlds{byName: map[string]*World{}}
	}
	return w
}

// serverContextKey is the key of the server's context in a request's context.
type serverContextKey struct{}

// WithServerContext returns a function for [http.Server.BaseContext] that passes the server's context
// to all requests.
func WithServerContext(ctx context.Context) func(net.Listener) context.Context {
	base := context.WithValue(ctx, serverContextKey{}, ctx)
	return func(net.Listener) context.Context { return base }
}

// workContext returns the context for processing a request. A real service does not notice that its client has
// disconnected, so this context ends only when the server stops.
func workContext(request context.Context) context.Context {
	if server, ok := request.Value(serverContextKey{}).(context.Context); ok {
		return server
	}
	return context.WithoutCancel(request)
}

// ServeHTTP implements [http.Handler].
func (w *World) ServeHTTP(writer http.ResponseWriter, r *http.Request) {
	path, values := w.delivered.Match(r.URL.Path)
	if f := stranger(w.Guard, r, path != nil); f != nil {
		turnAway(writer, r, f)
		return
	}
	switch {
	case path != nil:
		w.serveApp(writer, r, path, values) //nolint:contextcheck // a service does not notice that its client has gone
	case w.Page != nil && isPage(r):
		defer Recovering(w.Log, r, func() {
			http.Error(writer, "The page is broken: see the log of the server.", http.StatusInternalServerError)
		})
		w.Page.ServeHTTP(writer, r)
	case strings.HasPrefix(r.URL.Path, controlPrefix):
		defer Recovering(w.Log, r, func() { writeFailure(writer, wire.ServerError()) })
		w.serveControl(writer, r)
	case r.URL.Path == schemaPath:
		w.serveSchema(writer, r)
	default:
		w.serveAPI(writer, r)
	}
}

// serveAPI serves an API request.
func (w *World) serveAPI(writer http.ResponseWriter, r *http.Request) {
	x := &exchange{request: r, header: http.Header{}}
	path := r.URL.Path
	// In the hosted profile, an environment is the project with the same number. Headers tell clients of
	// its surveys to use the project path instead. PostHog has not announced when it removes the headers.
	rest, ok := strings.CutPrefix(path, "/api/environments/")
	if _, noun, _ := strings.Cut(rest, "/"); ok && w.Neighbours && (noun == "" || strings.HasPrefix(noun+"/", "surveys/")) {
		path = "/api/projects/" + rest
		if noun != "" {
			x.header.Set("Deprecation", "true")
			x.header.Set("Sunset", "Fri, 31 Dec 2027 00:00:00 GMT")
		}
	}

	x.call = &service.Call{Request: r}
	x.call.Route, x.call.Values = w.routes.Match(path)
	x.call.Body, x.refused = readBody(writer, r, maxBody)
	x.body, x.size = x.call.Body, len(x.call.Body)
	world := w.worlds.serving(w, r)
	if removed := world.RemovedNames(); x.call.Route != nil && slices.ContainsFunc(removed, x.call.Route.Has) {
		x.call.Route = nil
	}
	if x.call.Route != nil {
		if x.call.Operation = x.call.Route.For(r.Method); x.call.Operation != nil {
			x.operation = x.call.Operation.ID
		}
	}
	world.respond(writer, x) //nolint:contextcheck // as above
}

// serveApp serves an SDK request. Pages of any site may send it.
func (w *World) serveApp(writer http.ResponseWriter, r *http.Request, path *service.Path[*sdk.Operation], values service.Values) {
	x := &exchange{request: r, header: http.Header{}}
	sdk.AllowOrigin(x.header, r, path)
	operation := path.For(r.Method)
	if operation.DropsBody() {
		// Errors don't matter: PostHog accepts recordings that end early or that exceed maxBody.
		_, _ = io.Copy(io.Discard, http.MaxBytesReader(writer, r.Body, maxBody))
		r.Body = http.NoBody
	}
	var raw []byte
	raw, x.refused = readBody(writer, r, operation.MaxBody(maxBody))
	x.app = sdk.Read(r, path, values, raw, maxBody, w.Delivers)
	x.body, x.size = x.app.JournalBody(raw)
	x.app.EchoRequestID(x.header)
	if x.app.IsHeaderRefused() {
		x.refused = nil
	}
	if operation != nil {
		x.operation = operation.ID
	}
	world, token := w.worldOfToken(x.app.SentToken)
	switch {
	case x.app.SentToken != "":
	case operation.NeedsKey():
		world = w.worlds.serving(w, r)
	default:
		world = w.worldOfPage(r.URL.Query(), x.app.Survey())
	}
	x.token = token
	world.respond(writer, x)
}

// readBody reads a body of at most limit bytes. It returns a failure for a larger body. If the client
// doesn't send the whole body, it has disconnected, and no response can reach it.
func readBody(writer http.ResponseWriter, r *http.Request, limit int) ([]byte, *wire.Failure) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(writer, r.Body, int64(limit)))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, &wire.Failure{
			Status: http.StatusRequestEntityTooLarge, Kind: "invalid_request", Code: "request_entity_too_large",
			Detail: "The request is larger than " + strconv.Itoa(limit) + " bytes.",
		}
	}
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return body, nil
}

// respond serves a request in a world. It records the request, applies faults, and processes the request.
func (w *World) respond(writer http.ResponseWriter, x *exchange) {
	start := w.Clock()
	arrived := w.ServerTime(start)
	entry := w.journal.Begin(x.entry(start, arrived))
	hit := w.faults.Hit(x.faultRequest(), arrived)

	if hit.Delay > 0 {
		w.Sleep(workContext(x.request.Context()), hit.Delay)
	}
	if hit.Drop == faults.Before {
		w.drop(x, entry, hit, start)
	}

	switch {
	case hit.Response != nil:
		x.response = x.faultResponse(hit)
	case hit.Throttled > 0:
		x.response = x.failure(service.Throttle(hit.Throttled))
	case x.refused != nil:
		x.response = w.refusal(x, x.refused)
	default:
		x.response = w.serveSafely(x, hit)
	}
	if x.response.ContentType != "" {
		x.header.Set("Content-Type", x.response.ContentType)
	}
	maps.Copy(x.header, x.response.Header)

	if x.header.Get("Content-Type") == wire.JSONContent && x.call != nil {
		x.response.Body = hit.Mangle(x.response.Body, x.call.Operation.PlainTexts())
	}
	if hit.Drop == faults.After {
		w.drop(x, entry, hit, start)
	}

	// The journal must contain the outcome before the client receives the response.
	ended := w.Clock()
	x.header.Set("Date", w.ServerTime(ended).UTC().Format(http.TimeFormat))
	x.header.Set("X-Request-Id", strconv.FormatInt(w.requests.Add(1), 10))
	w.journal.End(entry, x.outcome(hit, ended.Sub(start)))
	w.collector.Note(w.WorldName, entry, x.problems())
	if w.Observe != nil {
		w.Observe(Exchange{
			Method: x.request.Method, Path: x.request.URL.Path, Status: x.response.Status, Header: x.header, Body: x.response.Body,
			Fault: hit.ChangesResponse(), World: w.WorldName, Operation: x.operation,
		})
	}
	x.send(writer, hit.Cut)
}

// drop closes the connection without a response.
func (w *World) drop(x *exchange, e *record.Entry, hit faults.Effect, start time.Time) {
	w.journal.End(e, record.Outcome{Duration: w.Clock().Sub(start), Faults: hit.Rules})
	w.collector.Note(w.WorldName, e, x.problems())
	panic(http.ErrAbortHandler)
}

// serveSafely processes a request. After a panic, it logs the stack and returns PostHog's error.
func (w *World) serveSafely(x *exchange, hit faults.Effect) (reply wire.Response) {
	defer Recovering(w.Log, x.request, func() { reply = w.refusal(x, wire.ServerError()) })
	var f *wire.Failure
	switch {
	case x.app != nil:
		x.app.SetResults(hit.EventResults)
		reply, f = x.app.Serve(&w.Apps, x.token)
	case x.call.Route == nil:
		f = wire.NotFound("Endpoint not found.")
	default:
		reply, f = w.serve(x.call, hit.Edit)
	}
	if f != nil {
		return w.refusal(x, f)
	}
	return reply
}

// serve applies a fault's edit, if there is one, and then processes an API request. Both bodies are in memory, so a
// slow client does not keep the store locked.
func (w *World) serve(call *service.Call, edit wire.Value) (wire.Response, *wire.Failure) {
	if call.Operation.Reads() && edit.IsAbsent() {
		w.Mu.RLock()
		defer w.Mu.RUnlock()
	} else {
		w.Mu.Lock()
		defer w.Mu.Unlock()
	}
	call.Service = w.Service()
	// PostHog checks the caller's permissions before the request.
	if f := call.Authorize(); f != nil {
		return wire.Response{}, f
	}
	if !edit.IsAbsent() {
		if err := merge(call, edit); err != nil {
			return wire.Response{}, wire.BadRequest("invalid_input", "faults: edit: "+err.Error())
		}
	}
	return call.Answer()
}

// merge merges a patch into the object that the request names, or into the first object that it lists.
// If there is no object, it does nothing. An invalid patch fails the request, because a test with an
// ineffective rule would prove nothing.
func merge(call *service.Call, patch wire.Value) (err error) {
	if survey := call.SurveyToEdit(); survey != nil {
		_, err = fixtures.NewEditor(call.Service).PatchSurvey(survey, patch)
	} else if app := call.AppToEdit(); app != nil {
		_, err = fixtures.NewEditor(call.Service).PatchApp(app, patch)
	}
	return err
}

// refusal returns the response to a request that fails.
func (w *World) refusal(x *exchange, f *wire.Failure) wire.Response {
	r, refused := x.request, x.failure(f)
	if x.hasEventResults() {
		return refused
	}
	if f.Status == http.StatusInternalServerError && w.Breaks {
		// PostHog assigns an ID to each unhandled error.
		event := uuid.NewSHA1(uuid.NameSpaceURL, []byte(r.Method+r.URL.Path))
		refused.Body = f.Body().With("error_event_id", wire.NewText(event.String())).JSON()
	}
	return refused
}
