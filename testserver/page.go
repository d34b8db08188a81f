package testserver

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/page"
)

// pagePrefix is the path below which the page has its assets, events and forms, among those
// of the control interface. The page itself is at the root.
const pagePrefix = "/" + page.Below

// isPage reports whether a request is for the page.
func isPage(r *http.Request) bool {
	return r.URL.Path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead) ||
		strings.HasPrefix(r.URL.Path, pagePrefix)
}

// pages serves the page for people.
type pages struct{ server *Server }

// serve serves the page with its assets, events and forms.
func (p pages) serve(w http.ResponseWriter, r *http.Request) {
	defer recovering(p.server.log, r, func() {
		http.Error(w, "The page is broken: see the log of the server.", http.StatusInternalServerError)
	})
	p.server.pages.ServeHTTP(w, r)
}

// routes are the paths of the page.
func (p pages) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.getPage)
	mux.HandleFunc("GET "+pagePrefix+"events", p.getEvents)
	mux.HandleFunc("POST "+pagePrefix+"faults", p.form(func(w *Server, form url.Values) (string, error) {
		return pages{w}.setFaults(form)
	}))
	mux.HandleFunc("POST "+pagePrefix+"clock", p.form(func(w *Server, form url.Values) (string, error) {
		return pages{w}.setClock(form)
	}))
	mux.HandleFunc("POST "+pagePrefix+"reset", p.form(func(w *Server, _ url.Values) (string, error) {
		w.Reset()
		return "The store is as at the start. Journal and faults stay.", nil
	}))
	mux.HandleFunc("POST "+pagePrefix+"journal", p.form(func(w *Server, _ url.Values) (string, error) {
		w.ResetJournal()
		return "The journal is empty.", nil
	}))
	mux.Handle("GET "+pagePrefix, http.StripPrefix(pagePrefix, page.Assets()))
	return mux
}

// errNoWorld is shown for a world that does not exist. Viewing a world does not create
// it.
var errNoWorld = errors.New("the world does not exist or was dropped: the next request with its key creates it")

// world is the world that the page shows.
func (p pages) world(name string) (*Server, error) {
	if name == "" {
		return p.server, nil
	}
	if p.server.worlds != nil {
		if found, ok := p.server.worlds.find(name, p.server.clock()); ok {
			return found, nil
		}
	}
	return p.server, fmt.Errorf("%s: %w", name, errNoWorld)
}

// getPage serves the page.
func (p pages) getPage(w http.ResponseWriter, r *http.Request) {
	shown, status := p.page(r, r.URL.Query())
	shown.Write(w, status)
}

// page is the page that a request with a query shows, with its HTTP status.
func (p pages) page(r *http.Request, query url.Values) (*page.Page, int) {
	status := http.StatusOK
	world, err := p.world(query.Get("world"))
	shown := pages{world}.shown(query)
	shown.Environment = environmentOf(world, addressOf(r))
	for _, other := range p.server.Worlds() {
		shown.Worlds = append(shown.Worlds, other.Name)
	}

	shown.Done = query.Get("done")
	if err == nil {
		err = pages{world}.addDetails(shown, query)
	}
	if err != nil {
		shown.Problem, status = err.Error(), http.StatusNotFound
	}
	return shown, status
}

// addressOf is the URL by which the client reached the server, including a path prefix.
func addressOf(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	path, _, _ := strings.Cut(r.RequestURI, "?")
	return scheme + "://" + r.Host + strings.TrimSuffix(path, r.URL.EscapedPath())
}

// shown is the page of a world, without the details of an object or a request.
func (p pages) shown(query url.Values) *page.Page {
	shown := &page.Page{Profile: string(p.server.profile.traits().name), World: p.server.world.name, Search: query.Get("search")}
	shown.Clock = p.clock()
	shown.Objects = p.objects(shown.Search)
	shown.Faults = page.Faults{Rules: p.server.faults.pageRules(), Operations: operationNames()}
	shown.Journal = p.journal(query)
	return shown
}

// addDetails adds the object and the request that the query of the page selects.
func (p pages) addDetails(shown *page.Page, query url.Values) error {
	if id := query.Get("survey"); id != "" {
		if shown.Survey = p.survey(id); shown.Survey == nil {
			return fmt.Errorf("survey %s does not exist or was deleted", id)
		}
	} else if id := query.Get("app"); id != "" {
		if shown.App = p.app(id); shown.App == nil {
			return fmt.Errorf("import app %s does not exist or was deleted", id)
		}
	}

	if text := query.Get("request"); text != "" {
		number, err := strconv.ParseInt(text, 10, 64)
		entry, ok := p.server.journal.numbered(number)
		if err != nil || !ok {
			return fmt.Errorf("request %s is not in the journal", text)
		}
		detail := entry.pageDetail(*p.server.contents.keys.Load())
		shown.Journal.Detail = &detail
	}
	return nil
}

// form serves a form: do carries it out, and the browser is redirected to the page, which
// shows the result. After an error the answer is the page itself with the error.
func (p pages) form(do func(*Server, url.Values) (string, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
		if err := r.ParseForm(); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}

		// The script of the page sends its query; without JavaScript the page starts anew.
		back, err := url.ParseQuery(strings.TrimPrefix(r.PostForm.Get("back"), "?"))
		if err != nil {
			back = url.Values{}
		}
		back.Set("world", r.PostForm.Get("world"))

		world, err := p.world(back.Get("world"))
		done := ""
		if err == nil {
			done, err = do(world, r.PostForm)
		}
		if err != nil {
			shown, _ := p.page(r, back)
			shown.Problem, shown.Faults.Draft = err.Error(), r.PostForm.Get("rule")
			shown.Write(w, http.StatusBadRequest)
			return
		}

		back.Set("done", done)
		w.Header().Set("Location", "../../?"+back.Encode())
		w.WriteHeader(http.StatusSeeOther)
	}
}
