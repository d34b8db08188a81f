package control

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// apiPrefix is the path prefix of the API.
const apiPrefix = "/api/"

// stranger returns the failure for a request that the server must refuse, or nil. It refuses requests
// for host names other than the server's, and requests from pages of other websites. If isOpen is
// true, the path is open to apps, and pages of all sites can use it.
func stranger(guard *web.Guard, r *http.Request, isOpen bool) *wire.Failure {
	if err := guard.CheckHost(r); err != nil {
		return &wire.Failure{
			Status: http.StatusMisdirectedRequest, Kind: "invalid_request", Code: "misdirected_request",
			Detail: "This is posthog-testserver: " + err.Error() + ". Call it as localhost or 127.0.0.1, " +
				"or start it with -host NAME for each further name (Hosts in the Options of the Go package).",
		}
	}

	if isOpen {
		return nil
	}

	check := guard.CheckSite
	if strings.HasPrefix(r.URL.Path, apiPrefix) {
		check = guard.CheckProgram
	}
	if err := check(r); err != nil {
		f := wire.Forbidden("This is posthog-testserver: " + err.Error() + ", and it serves only its own page, and programs.")
		f.Code = "cross_site_request"
		return f
	}
	return nil
}

// turnAway responds to a refused request. The journal does not record the request, because any website
// could otherwise fill it.
func turnAway(w http.ResponseWriter, r *http.Request, f *wire.Failure) {
	if isPage(r) {
		http.Error(w, f.Detail, f.Status)
		return
	}
	writeFailure(w, f)
}

// Recovering recovers from a panic, logs it, and calls respond. It does not recover if the panic is
// [http.ErrAbortHandler], which aborts the connection on purpose.
func Recovering(log *slog.Logger, r *http.Request, respond func()) {
	fault := recover()
	switch fault {
	case nil:
		return
	case http.ErrAbortHandler:
		panic(fault)
	}
	log.ErrorContext(r.Context(), "a request made the test server panic",
		"method", r.Method, "path", r.URL.Path, "panic", fault, "stack", string(debug.Stack()))
	respond()
}

// isPage reports whether a request is for the page at the root, or for the page's assets, events, or
// forms, which are below the control prefix.
func isPage(r *http.Request) bool {
	return r.URL.Path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead) || strings.HasPrefix(r.URL.Path, controlPrefix+"page/")
}
