package try

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/owner"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/posthogjs"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/localpage"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

//go:embed assets
var assets embed.FS

var pages = template.Must(template.ParseFS(assets, "assets/*.html"))

// Panel is the page on which one chooses who visits what, and sees what that person is shown.
type Panel struct {
	World *World
	// NoteWords say what a note means.
	NoteWords func(Note) string
	// App is the address of an app that shows the surveys; empty for the page that is built in.
	App string
	// Guard turns away other web sites.
	Guard *owner.Guard
}

// Handler serves the panel at / and the page that an app has at /app.
func (p *Panel) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.getPanel)
	mux.HandleFunc("GET /version", p.getVersion)
	mux.HandleFunc("GET /app", p.getApp)
	mux.HandleFunc("POST /clock", p.setClock)
	mux.Handle("GET /assets/", localpage.NoSniff(http.FileServerFS(assets)))

	return localpage.Guarded("try", p.Guard, mux)
}

// visitOf reads a visit from a form. What is no JSON object is an error.
func visitOf(form url.Values) (Visit, error) {
	v := Visit{
		DistinctID: strings.TrimSpace(form.Get("distinct_id")), URL: form.Get("url"), Referrer: form.Get("referrer"),
		Device: form.Get("device"), Language: form.Get("language"),
	}
	if v.DistinctID == "" {
		v.DistinctID = "visitor"
	}
	if v.Device == "" {
		v.Device = defaultDevice
	}
	for name, into := range map[string]any{"properties": &v.Properties, "groups": &v.Groups} {
		if text := strings.TrimSpace(form.Get(name)); text != "" {
			if err := jsonvalue.UnmarshalKnown([]byte(text), into); err != nil {
				return v, fmt.Errorf("%s: must be a JSON object: %w", name, err)
			}
		}
	}
	return v, nil
}

// panelView has the contents of the panel.
type panelView struct {
	Visit Visit
	// Properties and Groups are as they were typed.
	Properties, Groups string
	Devices            []string
	Problem            string
	Shown              []testserver.SurveyOffer
	Notes              []string
	Seen               seenView
	Clock              string
	World              *World
	App, Frame         string
	Renderer           string
	// Query is the visit as the query of an address.
	Query string
}

// devices are the kinds of devices that posthog-js tells apart.
var devices = []string{"Desktop", "Mobile", "Tablet", "Console", "Wearable"}

func (p *Panel) getPanel(w http.ResponseWriter, r *http.Request) {
	form := r.URL.Query()
	visit, err := visitOf(form)
	view := panelView{
		Visit: visit, Properties: form.Get("properties"), Groups: form.Get("groups"), Devices: devices, World: p.World, App: p.App,
		Renderer: posthogjs.Version(), Query: form.Encode(), Clock: p.World.Now().UTC().Format("2006-01-02T15:04"),
	}
	view.Frame = "app?" + view.Query
	for _, note := range p.World.Notes {
		view.Notes = append(view.Notes, p.NoteWords(note))
	}
	if err == nil {
		view.Shown, err = p.World.Offers(visit)
	}
	if err == nil {
		view.Seen, err = p.World.seen(r.Context())
	}
	if err != nil {
		view.Problem = err.Error()
	}
	localpage.Write(w, pages, "panel.html", panelPolicy, view)
}

// appView has the contents of the page of an app.
type appView struct {
	URL   string
	Start string
}

// getApp serves the page on which posthog-js runs.
func (p *Panel) getApp(w http.ResponseWriter, r *http.Request) {
	visit, err := visitOf(r.URL.Query())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	start, err := json.Marshal(map[string]any{
		"token": p.World.Token, "api_host": p.World.URL, "world": p.World.id, "visit": visit, "properties": visit.known(),
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	localpage.Write(w, pages, "app.html", p.appPolicy(), appView{URL: p.World.URL, Start: string(start)})
}

// panelPolicy lets the panel load its own files alone.
const panelPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// appPolicy lets the page of the app load from the server of the world, and from nowhere else:
// texts of surveys may have scripts in them.
func (p *Panel) appPolicy() string {
	return "default-src 'none'; script-src 'self' " + p.World.URL + "; connect-src " + p.World.URL + "; style-src 'self' 'unsafe-inline'; " +
		"img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
}
