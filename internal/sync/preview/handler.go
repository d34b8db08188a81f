package preview

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/owner"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/posthogjs"
)

//go:embed assets
var assets embed.FS

// rendererStyle is the hash of the one stylesheet that the renderer adds to a page. A
// browser reports it, with the policy that it violates, when the renderer has another.
const rendererStyle = "sha256-pe9WpxnnJw6N46e35WA1JkiLkXDxgh2fITKjbCaQyfY="

// policy lets a page load only from its own server, images of the given origins apart, and
// allows no inline script or style sheet. Style attributes it allows: texts of surveys have
// them, respondents see what they do, and no script comes of them.
func policy(origins []string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self' '" + rendererStyle + "'; style-src-attr 'unsafe-inline'; " +
		"img-src " + strings.Join(append([]string{"'self'", "data:"}, origins...), " ") + "; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

var pages = template.Must(template.ParseFS(assets, "assets/*.html"))

// Handler serves a page for each survey at /surveys/LABEL, and a list of them at /, to those
// whom the guard lets in.
func Handler(surveys []Survey, guard *owner.Guard) http.Handler {
	return guarded(guard, routes(surveys))
}

// guarded turns away requests for other names than those of the server, and those that pages
// of other web sites make.
func guarded(guard *owner.Guard, pages http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := guard.CheckHost(r); err != nil {
			http.Error(w, "This is posthog-sync preview: "+err.Error()+". Open it as localhost or 127.0.0.1, or start it with --host NAME for each further name.",
				http.StatusMisdirectedRequest)
			return
		}
		if err := guard.CheckSite(r); err != nil {
			http.Error(w, "This is posthog-sync preview: "+err.Error()+".", http.StatusForbidden)
			return
		}
		pages.ServeHTTP(w, r)
	})
}

// routes are the paths of the preview.
func routes(surveys []Survey) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		writePage(w, "list.html", nil, list{Surveys: surveys, Renderer: RendererVersion()})
	})
	mux.HandleFunc("GET /surveys/{label}", func(w http.ResponseWriter, r *http.Request) {
		i := slices.IndexFunc(surveys, func(s Survey) bool { return s.Label == r.PathValue("label") })
		if i < 0 {
			http.NotFound(w, r)
			return
		}
		shown := surveys[i].view(r.URL.Query())
		writePage(w, "survey.html", shown.Loaded, shown)
	})

	mux.Handle("GET /assets/", noSniff(http.FileServerFS(assets)))
	// The module that translates asks the package that it is of for two predicates.
	mux.HandleFunc("GET /renderer/utils/index.mjs", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, assets, "assets/predicates.js")
	})
	mux.Handle("GET /renderer/", noSniff(http.StripPrefix("/renderer/", http.FileServerFS(posthogjs.Files()))))
	return mux
}

// writePage writes a page that may load images of the given origins, or an error if it cannot
// be rendered.
func writePage(w http.ResponseWriter, name string, origins []string, of any) {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, name, of); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}

	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy(origins))
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	// The browser is gone when this fails: there is no one to report it to.
	_, _ = page.WriteTo(w)
}

// noSniff keeps browsers to the types of the files.
func noSniff(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

// RendererVersion is the version of posthog-js that shows the surveys.
func RendererVersion() string { return posthogjs.Version() }
