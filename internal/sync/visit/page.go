// Package visit shows surveys as respondents will see them: a page for each, drawn by the renderer
// of posthog-js, and an app that is offered them by a test server in this process, with whom it
// is offered to and why not to others. Nothing is read from the service or sent to it.
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

// guardPages turns away requests for other names than those of the server, and those that pages
// of other web sites make. The verb is named in what they are told.
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

// noSniff keeps browsers to the types of the files.
func noSniff(files http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		files.ServeHTTP(w, r)
	})
}

// writePage writes a page with a content security policy, or an error if it cannot be rendered.
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
	// The browser is gone when this fails: there is no one to report it to.
	_, _ = page.WriteTo(w)
}
