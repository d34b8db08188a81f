package preview

import (
	"embed"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/owner"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/posthogjs"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/localpage"
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
	return localpage.Guarded("preview", guard, routes(surveys))
}

// routes are the paths of the preview.
func routes(surveys []Survey) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		localpage.Write(w, pages, "list.html", policy(nil), list{Surveys: surveys, Renderer: RendererVersion()})
	})
	mux.HandleFunc("GET /surveys/{label}", func(w http.ResponseWriter, r *http.Request) {
		i := slices.IndexFunc(surveys, func(s Survey) bool { return s.Label == r.PathValue("label") })
		if i < 0 {
			http.NotFound(w, r)
			return
		}
		shown := surveys[i].view(r.URL.Query())
		localpage.Write(w, pages, "survey.html", policy(shown.Loaded), shown)
	})

	mux.Handle("GET /assets/", localpage.NoSniff(http.FileServerFS(assets)))
	// The module that translates asks the package that it is of for two predicates.
	mux.HandleFunc("GET /renderer/utils/index.mjs", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, assets, "assets/predicates.js")
	})
	mux.Handle("GET /renderer/", localpage.NoSniff(http.StripPrefix("/renderer/", http.FileServerFS(posthogjs.Files()))))
	return mux
}

// RendererVersion is the version of posthog-js that shows the surveys.
func RendererVersion() string { return posthogjs.Version() }
