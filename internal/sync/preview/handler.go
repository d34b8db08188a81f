package preview

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/owner"
)

//go:embed assets
var assets embed.FS

// renderer holds the module of posthog-js that shows surveys, as its package has it, and
// the licences of what is in it. make renderer writes it.
//
//go:embed renderer/package.json renderer/surveys-preview.js renderer/LICENSE.posthog-js.txt renderer/LICENSE.preact.txt renderer/LICENSE.dompurify.txt
var renderer embed.FS

// rendererStyle is the hash of the one stylesheet that the renderer adds to a page. A
// browser reports it, with the policy that it violates, when the renderer has another.
const rendererStyle = "sha256-pe9WpxnnJw6N46e35WA1JkiLkXDxgh2fITKjbCaQyfY="

// policy lets a page load only from its own server, and allows no inline script or style.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' '" + rendererStyle + "'; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

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
		writePage(w, "list.html", list{Surveys: surveys, Renderer: RendererVersion()})
	})
	mux.HandleFunc("GET /surveys/{label}", func(w http.ResponseWriter, r *http.Request) {
		i := slices.IndexFunc(surveys, func(s Survey) bool { return s.Label == r.PathValue("label") })
		if i < 0 {
			http.NotFound(w, r)
			return
		}
		writePage(w, "survey.html", surveys[i].view(r))
	})

	mux.Handle("GET /assets/", noSniff(http.FileServerFS(assets)))
	mux.Handle("GET /renderer/", noSniff(http.FileServerFS(renderer)))
	return mux
}

// list has the contents of the list of surveys.
type list struct {
	Surveys  []Survey
	Renderer string
}

// view has the contents of a survey's page.
type view struct {
	Survey

	// Data is for the script of the page.
	Data data
	Flow template.HTML
	// Renderer is the version of posthog-js.
	Renderer string
	// Places are those of the questions.
	Places []place
}

// data is the input of the page's script.
type data struct {
	Survey map[string]any `json:"survey"`
	Start  int            `json:"start"`
}

// place is a question that the page can start with.
type place struct {
	Number  int
	Text    string
	Current bool
}

// view serves the page of a survey, starting with the question in the query.
func (s Survey) view(r *http.Request) view {
	start, err := strconv.Atoi(r.URL.Query().Get("question"))
	if err != nil || start < 0 || start > len(s.flow) {
		start = 0
	}

	v := view{
		Survey: s, Renderer: RendererVersion(), Data: data{Survey: s.wire, Start: start},
		// The drawing escapes every text that it is given.
		Flow: template.HTML(flow.InlineSVG(s.Name, s.flow)), //nolint:gosec // escaped
	}
	for i, question := range s.flow {
		v.Places = append(v.Places, place{Number: i, Text: question.Text, Current: i == start})
	}
	return v
}

// writePage writes a page, or an error if it cannot be rendered.
func writePage(w http.ResponseWriter, name string, of any) {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, name, of); err != nil {
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

// noSniff keeps browsers to the types of the files.
func noSniff(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

// RendererVersion is the version of posthog-js that shows the surveys.
func RendererVersion() string { return rendererVersion }

var rendererVersion = func() string {
	raw, err := renderer.ReadFile("renderer/package.json")
	if err != nil {
		panic(err) // it is embedded
	}
	var pinned struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal(raw, &pinned); err != nil {
		panic(err) // a test reads it
	}
	return pinned.Dependencies["posthog-js"]
}()
