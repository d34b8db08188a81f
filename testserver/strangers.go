package testserver

import (
	"net/http"
	"strings"
)

// apiPrefix is the path prefix of the API.
const apiPrefix = "/api/"

// stranger reports why a request is not served, nil for one of the owner's: it is for a name
// that is not the server's, or a page of another web site makes it.
func (s *Server) stranger(r *http.Request) *failure {
	if err := s.guard.CheckHost(r); err != nil {
		return &failure{
			status: http.StatusMisdirectedRequest, kind: "invalid_request", code: "misdirected_request",
			detail: "This is posthog-testserver: " + err.Error() + ". Call it as localhost or 127.0.0.1, " +
				"or start it with -host NAME for each further name (Hosts in the Options of the Go package).",
		}
	}

	check := s.guard.CheckSite
	if strings.HasPrefix(r.URL.Path, apiPrefix) {
		check = s.guard.CheckProgram
	}
	if err := check(r); err != nil {
		f := forbidden("This is posthog-testserver: " + err.Error() + ", and it serves only its own page, and programs.")
		f.code = "cross_site_request"
		return f
	}
	return nil
}

// turnAway answers a request of a stranger. It is not in the journal, so that no web site can
// fill that.
func (s *Server) turnAway(w http.ResponseWriter, r *http.Request, f *failure) {
	if isPage(r) {
		http.Error(w, f.detail, f.status)
		return
	}
	writeFailure(w, f)
}
