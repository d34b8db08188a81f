package page

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/control"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
)

// pagePrefix is the path below which the page has its assets and forms, among those
// of the control interface. The page itself is at the root.
const pagePrefix = "/" + Below

// pages serves the page for people.
type pages struct{ world *control.World }

// Handler serves the page of a server, with its assets and forms.
func Handler(w *control.World) http.Handler { return pages{w}.routes() }

// routes are the paths of the page.
func (p pages) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.getPage)
	mux.HandleFunc("POST "+pagePrefix+"faults", p.form(pages.setFaults))
	mux.HandleFunc("POST "+pagePrefix+"clock", p.form(pages.setClock))
	mux.HandleFunc("POST "+pagePrefix+"removed", p.form(pages.setRemoved))
	mux.HandleFunc("POST "+pagePrefix+"reset", p.form(pages.reset))
	mux.HandleFunc("POST "+pagePrefix+"journal", p.form(pages.clearJournal))
	mux.Handle("GET "+pagePrefix, http.StripPrefix(pagePrefix, Assets()))
	return mux
}

// getPage serves the page.
func (p pages) getPage(w http.ResponseWriter, r *http.Request) {
	shown, status := p.page(r, r.URL.Query())
	shown.Write(w, status)
}

// page is the page that a request with a query shows, with its HTTP status.
func (p pages) page(r *http.Request, query url.Values) (*Page, int) {
	world, exists := p.world.Find(query.Get("world"))
	if !exists {
		gone := &Page{World: query.Get("world"), Gone: true}
		p.addServer(gone)
		return gone, http.StatusNotFound
	}

	shown := pages{world}.shown(query)
	p.addServer(shown)
	shown.Environment = world.Environment(service.ServerURL(r))
	shown.Notice = Notice{Form: FormNamed(query.Get("form")), Text: Result(query.Get("done"))}
	err := pages{world}.addObject(shown, query)
	if err == nil {
		err = pages{world}.addRequest(shown, query, service.ServerURL(r))
	}
	if err != nil {
		shown.Notice = Notice{Text: err.Error(), Problem: true}
		return shown, http.StatusNotFound
	}
	return shown, http.StatusOK
}

// addServer adds what a page tells of the whole server.
func (p pages) addServer(shown *Page) {
	shown.Profile = p.world.Profile.Name
	for _, world := range p.world.Worlds() {
		shown.Worlds = append(shown.Worlds, World{Name: world.Name, Requests: world.Requests})
	}
}

// shown is the page of a world, without the details of an object or a request.
func (p pages) shown(query url.Values) *Page {
	shown := &Page{
		World: p.world.WorldName, Tab: TabNamed(query.Get("tab")), Search: query.Get("search"), Status: query.Get("status"),
	}
	shown.Clock = p.clock()
	shown.AppsRemoved = slices.Contains(p.world.Removed(), fixtures.RemovedImportApps)
	if (shown.Tab == "" || shown.Tab == AppsTab) && query.Get("request") == "" {
		shown.Objects = p.objects(shown.Search, shown.Status)
	}
	if shown.Tab == EventsTab {
		shown.Events = p.events()
	}
	if shown.Tab == ReportTab {
		shown.Report = p.world.Report().String()
	}
	shown.Faults = Faults{Rules: p.rules(), Operations: faults.Names(control.FaultOperations)}
	shown.Journal = p.journal(query)
	return shown
}

// addObject adds the survey or app that the query of the page selects.
func (p pages) addObject(shown *Page, query url.Values) error {
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

		form := FormNamed(r.PostForm.Get("form"))
		back := backOf(r.PostForm, form)
		world, exists := p.world.Find(back.Get("world"))
		if !exists {
			p.refuseForm(w, r, back, http.StatusNotFound, Notice{})
			return
		}
		done, err := do(pages{world}, r.PostForm)
		if err != nil {
			p.refuseForm(w, r, back, http.StatusBadRequest, Notice{Form: form, Text: err.Error(), Problem: true})
			return
		}

		back.Set("done", done)
		w.Header().Set("Location", "../../?"+back.Encode()+"#"+Notice{Form: form}.ID())
		w.WriteHeader(http.StatusSeeOther)
	}
}

// backOf is the query of the page from which a form was sent. The script of the page sends it;
// without JavaScript it is that of the section with the form.
func backOf(sent url.Values, form Form) url.Values {
	back, err := url.ParseQuery(strings.TrimPrefix(sent.Get("back"), "?"))
	if err != nil || !sent.Has("back") {
		back = url.Values{"tab": {form.Tab()}}
	}
	back.Set("world", sent.Get("world"))
	back.Set("form", string(form))
	maps.DeleteFunc(back, func(_ string, values []string) bool { return values[0] == "" })
	return back
}

// refuseForm responds with the page to which a query leads, and says there why a form was
// refused.
func (p pages) refuseForm(w http.ResponseWriter, r *http.Request, query url.Values, status int, notice Notice) {
	shown, _ := p.page(r, query)
	shown.Notice, shown.Faults.Draft = notice, r.PostForm.Get("rule")
	if !r.PostForm.Has("back") {
		// The browser shows the response at the address of the form.
		shown.Base = "../../"
	}
	shown.Write(w, status)
}
