package testserver

import (
	"net/http"
	"runtime/debug"
)

// serveSafely is serve for a server that stays up: a request that breaks its code is
// answered as the service answers one, and the stack goes to the log.
func (s *Server) serveSafely(x *exchange, route *route, values []pathValue) {
	defer s.recovering(x.request, func() { x.refuse(serverError()) })
	s.serve(x, route, values)
}

// serveControl serves the control interface in the same way.
func (s *Server) serveControl(w http.ResponseWriter, r *http.Request) {
	defer s.recovering(r, func() { writeFailure(w, serverError()) })
	s.routeControl(w, r)
}

// recovering ends a panic with an answer. A deliberate end of the connection stays one.
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
