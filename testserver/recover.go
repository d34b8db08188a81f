package testserver

import (
	"net/http"
	"runtime/debug"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
)

// serveSafely is serve that recovers from a panic: it answers with the service's error, and
// logs the stack.
func (s *Server) serveSafely(x *exchange, route *route, values []pathValue) {
	defer s.recovering(x.request, func() { x.refuse(field.ServerError()) })
	s.serve(x, route, values)
}

// serveControl serves the control interface, and recovers in the same way.
func (s *Server) serveControl(w http.ResponseWriter, r *http.Request) {
	defer s.recovering(r, func() { writeFailure(w, field.ServerError()) })
	control{s}.route(w, r)
}

// recovering recovers from a panic with an answer, unless the panic aborts the connection
// on purpose.
func (s *Server) recovering(r *http.Request, answer func()) {
	fault := recover()
	switch fault {
	case nil:
		return
	case http.ErrAbortHandler:
		panic(fault)
	}
	s.log.ErrorContext(r.Context(), "a request broke the test server",
		"method", r.Method, "path", r.URL.Path, "panic", fault, "stack", string(debug.Stack()))
	answer()
}
