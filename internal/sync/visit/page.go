// Package visit shows surveys as respondents will see them. [Preview] serves a page for each survey, which
// posthog-js renders. [Panel] serves a page that shows which surveys a person would see in an app, and why
// the person would not see the others. It uses a test server in the same process (see [World]).
//
// The package must not send requests to PostHog.
package visit

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
)

//go:embed assets
var assets embed.FS

var pages = template.Must(template.ParseFS(assets, "assets/*.html"))

// guardPages rejects requests for unknown host names, and requests from other websites. Its error messages
// contain the verb.
func guardPages(verb string, guard *web.Guard, pages http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := guard.CheckHost(r); err != nil {
			http.Error(w, "This is posthog-sync "+verb+": "+err.Error()+". Open it as localhost or 127.0.0.1, or start it with --host NAME for each further name.",
				http.StatusMisdirectedRequest)
			return
		}
		if err := guard.CheckSite(r); err != nil {
			http.Error(w, "This is posthog-sync "+verb+": "+err.Error()+".", http.StatusForbidden)
			return
		}
		pages.ServeHTTP(w, r)
	})
}

// noSniff prevents browsers from guessing the types of files.
func noSniff(files http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		files.ServeHTTP(w, r)
	})
}

// writePage writes a page with a content security policy. If rendering fails, it writes an error.
func writePage(w http.ResponseWriter, pages *template.Template, name, policy string, content any) {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, name, content); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}

	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	// A write fails only if the browser closed the connection, so no one would see the error.
	_, _ = page.WriteTo(w)
}
