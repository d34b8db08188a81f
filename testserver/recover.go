package testserver

import (
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
)

// serveSafely is serve that recovers from a panic: it answers with the service's error, and
// logs the stack.
func (s *Server) serveSafely(x *exchange, route *route, values []pathValue) {
	defer recovering(s.log, x.request, func() { x.refuse(field.ServerError()) })
	s.serve(x, route, values)
}

// serve serves the control interface, and recovers in the same way.
func (c control) serve(w http.ResponseWriter, r *http.Request) {
	defer recovering(c.server.log, r, func() { writeFailure(w, field.ServerError()) })
	c.route(w, r)
}

// recovering recovers from a panic with an answer, unless the panic aborts the connection
// on purpose.
func recovering(log *slog.Logger, r *http.Request, answer func()) {
	fault := recover()
	switch fault {
	case nil:
		return
	case http.ErrAbortHandler:
		panic(fault)
	}
	log.ErrorContext(r.Context(), "a request broke the test server",
		"method", r.Method, "path", r.URL.Path, "panic", fault, "stack", string(debug.Stack()))
	answer()
}
