package testserver

import (
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
)

// serveSafely is serve that recovers from a panic: the response is the service's error, and the
// stack is logged.
func (s *Server) serveSafely(x *exchange, route *route, values []pathValue) (reply response) {
	defer recovering(s.log, x.request, func() { reply = x.refusal(field.ServerError()) })
	reply, f := s.serve(x, route, values)
	if f != nil {
		return x.refusal(f)
	}
	return reply
}

// serve serves the control interface, and recovers in the same way.
func (c control) serve(w http.ResponseWriter, r *http.Request) {
	defer recovering(c.server.log, r, func() { writeFailure(w, field.ServerError()) })
	c.route(w, r)
}

// recovering recovers from a panic with a response, unless the panic aborts the connection
// on purpose.
func recovering(log *slog.Logger, r *http.Request, respond func()) {
	fault := recover()
	switch fault {
	case nil:
		return
	case http.ErrAbortHandler:
		panic(fault)
	}
	log.ErrorContext(r.Context(), "a request broke the test server",
		"method", r.Method, "path", r.URL.Path, "panic", fault, "stack", string(debug.Stack()))
	respond()
}
