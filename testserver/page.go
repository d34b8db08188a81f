package testserver

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
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
	mux.HandleFunc("POST "+pagePrefix+"faults", p.form(pages.setFaults))
	mux.HandleFunc("POST "+pagePrefix+"clock", p.form(pages.setClock))
	mux.HandleFunc("POST "+pagePrefix+"removed", p.form(pages.setRemoved))
	mux.HandleFunc("POST "+pagePrefix+"reset", p.form(pages.reset))
	mux.HandleFunc("POST "+pagePrefix+"journal", p.form(pages.clearJournal))
	mux.Handle("GET "+pagePrefix, http.StripPrefix(pagePrefix, page.Assets()))
	return mux
}

// world is the world that the page shows. Viewing a world that does not exist does not create
// it.
func (p pages) world(name string) (world *Server, exists bool) {
	if name == "" {
		return p.server, true
	}
	if p.server.worlds == nil {
		return nil, false
	}
	return p.server.worlds.find(name, p.server.clock())
}

// getPage serves the page.
func (p pages) getPage(w http.ResponseWriter, r *http.Request) {
	shown, status := p.page(r, r.URL.Query(), true)
	shown.Write(w, status)
}

// page is the page that a request with a query shows, with its HTTP status, and with the whole of the
// selected request if that is asked for.
func (p pages) page(r *http.Request, query url.Values, isWhole bool) (*page.Page, int) {
	world, exists := p.world(query.Get("world"))
	if !exists {
		gone := &page.Page{World: query.Get("world"), Gone: true}
		p.addServer(gone)
		return gone, http.StatusNotFound
	}

	shown := pages{world}.shown(query)
	p.addServer(shown)
	shown.Environment = environmentOf(world, addressOf(r))
	shown.Notice = page.Notice{Form: page.FormNamed(query.Get("form")), Text: page.Result(query.Get("done"))}
	err := pages{world}.addObject(shown, query)
	if err == nil {
		err = pages{world}.addRequest(shown, query, addressOf(r), isWhole)
	}
	if err != nil {
		shown.Notice = page.Notice{Text: err.Error(), Problem: true}
		return shown, http.StatusNotFound
	}
	return shown, http.StatusOK
}

// addServer adds what a page tells of the whole server.
func (p pages) addServer(shown *page.Page) {
	shown.Profile = string(p.server.profile.name)
	for _, world := range p.server.Worlds() {
		shown.Worlds = append(shown.Worlds, page.World{Name: world.Name, Requests: world.Requests})
	}
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
	shown := &page.Page{
		World: p.server.world.name, Tab: page.TabNamed(query.Get("tab")), Search: query.Get("search"), Status: query.Get("status"),
	}
	shown.Clock = p.clock()
	shown.AppsRemoved = slices.Contains(p.server.Removed(), RemovedImportApps)
	if (shown.Tab == "" || shown.Tab == page.AppsTab) && query.Get("request") == "" {
		shown.Objects = p.objects(shown.Search, shown.Status)
	}
	if shown.Tab == page.ReportTab {
		shown.Report = p.server.Report().String()
	}
	shown.Faults = page.Faults{Rules: p.rules(), Operations: faults.Names(faultOperations)}
	shown.Journal = p.journal(query)
	return shown
}

// addObject adds the survey or app that the query of the page selects.
func (p pages) addObject(shown *page.Page, query url.Values) error {
	if id := query.Get("survey"); id != "" {
		if shown.Survey = p.survey(id); shown.Survey == nil {
			return fmt.Errorf("survey %s does not exist or was deleted", id)
		}
	} else if id := query.Get("app"); id != "" {
		if shown.App = p.app(id); shown.App == nil {
			return fmt.Errorf("import app %s does not exist or was deleted", id)
		}
	}
	return nil
}

// form serves a form: do carries it out, and the browser is redirected to the page, which
// shows the result. After an error the response is the page itself with the error.
func (p pages) form(do func(pages, url.Values) (done string, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
		if err := r.ParseForm(); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}

		form := page.FormNamed(r.PostForm.Get("form"))
		back := backOf(r.PostForm, form)
		world, exists := p.world(back.Get("world"))
		if !exists {
			p.refuseForm(w, r, back, http.StatusNotFound, page.Notice{})
			return
		}
		done, err := do(pages{world}, r.PostForm)
		if err != nil {
			p.refuseForm(w, r, back, http.StatusBadRequest, page.Notice{Form: form, Text: err.Error(), Problem: true})
			return
		}

		back.Set("done", done)
		w.Header().Set("Location", "../../?"+back.Encode()+"#"+page.Notice{Form: form}.ID())
		w.WriteHeader(http.StatusSeeOther)
	}
}

// backOf is the query of the page from which a form was sent. The script of the page sends it;
// without JavaScript it is that of the section with the form.
func backOf(sent url.Values, form page.Form) url.Values {
	back, err := url.ParseQuery(strings.TrimPrefix(sent.Get("back"), "?"))
	if err != nil || !sent.Has("back") {
		back = url.Values{"tab": {form.Tab()}, "request": {sent.Get("again")}}
	}
	back.Set("world", sent.Get("world"))
	back.Set("form", string(form))
	maps.DeleteFunc(back, func(_ string, values []string) bool { return values[0] == "" })
	return back
}

// refuseForm responds with the page to which a query leads, and says there why a form was
// refused.
func (p pages) refuseForm(w http.ResponseWriter, r *http.Request, query url.Values, status int, notice page.Notice) {
	shown, _ := p.page(r, query, true)
	shown.Notice, shown.Faults.Draft = notice, r.PostForm.Get("rule")
	if !r.PostForm.Has("back") {
		// The browser shows the response at the address of the form.
		shown.Base = "../../"
	}
	shown.Write(w, status)
}
