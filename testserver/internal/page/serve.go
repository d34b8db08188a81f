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

// pagePrefix is the path prefix of the page's assets and forms, below the control prefix. The page itself
// is at the root.
const pagePrefix = "/" + Below

// pages serves the page of a world.
type pages struct{ world *control.World }

// Handler serves the page of a server with its assets and forms.
func Handler(w *control.World) http.Handler { return pages{w}.routes() }

// routes returns the paths of the page.
func (p pages) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.getPage)
	mux.HandleFunc("POST "+pagePrefix+"faults", p.form(pages.setFaults))
	mux.HandleFunc("POST "+pagePrefix+"clock", p.form(pages.setClock))
	mux.HandleFunc("POST "+pagePrefix+"removed", p.form(pages.setRemovals))
	mux.HandleFunc("POST "+pagePrefix+"reset", p.form(pages.reset))
	mux.HandleFunc("POST "+pagePrefix+"journal", p.form(pages.clearJournal))
	mux.Handle("GET "+pagePrefix, http.StripPrefix(pagePrefix, Assets()))
	return mux
}

// getPage responds with the page.
func (p pages) getPage(w http.ResponseWriter, r *http.Request) {
	page, status := p.page(r, r.URL.Query())
	page.Write(w, status)
}

// page returns the page for a request with the given query, and its HTTP status.
func (p pages) page(r *http.Request, query url.Values) (*Page, int) {
	world, exists := p.world.Find(query.Get("world"))
	if !exists {
		missing := &Page{World: query.Get("world"), Gone: true}
		p.addServer(missing)
		return missing, http.StatusNotFound
	}

	page := pages{world}.overview(query)
	p.addServer(page)
	page.Environment = world.Environment(service.ServerURL(r))
	page.Notice = Notice{Form: FindForm(query.Get("form")), Text: Result(query.Get("done"))}
	err := pages{world}.addObject(page, query)
	if err == nil {
		err = pages{world}.addRequest(page, query, service.ServerURL(r))
	}
	if err != nil {
		page.Notice = Notice{Text: err.Error(), Problem: true}
		return page, http.StatusNotFound
	}
	return page, http.StatusOK
}

// addServer adds data about the whole server.
func (p pages) addServer(page *Page) {
	page.Profile = p.world.Profile.Name
	for _, world := range p.world.Worlds() {
		page.Worlds = append(page.Worlds, World{Name: world.Name, Requests: world.Requests})
	}
}

// overview returns the page of a world without the details of a selected object or request.
func (p pages) overview(query url.Values) *Page {
	page := &Page{
		World: p.world.WorldName, Tab: FindTab(query.Get("tab")), Search: query.Get("search"), Status: query.Get("status"),
	}
	page.Clock = p.clock()
	page.AppsRemoved = slices.Contains(p.world.Removed(), fixtures.RemovedImportApps)
	if (page.Tab == "" || page.Tab == AppsTab) && query.Get("request") == "" {
		page.Objects = p.objects(page.Search, page.Status)
	}
	if page.Tab == EventsTab {
		page.Events = p.events()
	}
	if page.Tab == ReportTab {
		page.Report = p.world.Report().String()
	}
	page.Faults = Faults{Rules: p.rules(), Operations: faults.Names(control.FaultOperations)}
	page.Journal = p.journal(query)
	return page
}

// addObject adds the survey or app that the page's query selects.
func (p pages) addObject(page *Page, query url.Values) error {
	if id := query.Get("survey"); id != "" {
		if page.Survey = p.survey(id); page.Survey == nil {
			return fmt.Errorf("survey %s does not exist or was deleted", id)
		}
	} else if id := query.Get("app"); id != "" {
		if page.App = p.app(id); page.App == nil {
			return fmt.Errorf("import app %s does not exist or was deleted", id)
		}
	}
	return nil
}

// form returns a handler that calls do and then redirects the browser to the page, which shows the
// result. After an error, the response is the page with the error.
func (p pages) form(do func(pages, url.Values) (done string, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
		if err := r.ParseForm(); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}

		form := FindForm(r.PostForm.Get("form"))
		back := backQuery(r.PostForm, form)
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

// backQuery returns the query of the page that contained the form. The page's script sends this query.
// Without JavaScript, backQuery returns the query of the section that contains the form.
func backQuery(input url.Values, form Form) url.Values {
	back, err := url.ParseQuery(strings.TrimPrefix(input.Get("back"), "?"))
	if err != nil || !input.Has("back") {
		back = url.Values{"tab": {form.Tab()}}
	}
	back.Set("world", input.Get("world"))
	back.Set("form", string(form))
	maps.DeleteFunc(back, func(_ string, values []string) bool { return values[0] == "" })
	return back
}

// refuseForm responds with the page for a query, which shows why the form was refused.
func (p pages) refuseForm(w http.ResponseWriter, r *http.Request, query url.Values, status int, notice Notice) {
	page, _ := p.page(r, query)
	page.Notice, page.Faults.Draft = notice, r.PostForm.Get("rule")
	if !r.PostForm.Has("back") {
		// The browser shows this response at the URL of the form.
		page.Base = "../../"
	}
	page.Write(w, status)
}
