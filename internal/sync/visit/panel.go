package visit

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Panel is the page on which one chooses who visits what, and sees what that person is shown.
type Panel struct {
	World *World
	// App is the address of an app that shows the surveys; empty for the page that is built in.
	App string
	// Guard turns away other web sites.
	Guard *web.Guard
}

// Handler serves the panel at / and the page that an app has at /app.
func (p *Panel) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.getPanel)
	mux.HandleFunc("GET /version", p.getVersion)
	mux.HandleFunc("GET /app", p.getApp)
	mux.HandleFunc("POST /clock", p.setClock)
	mux.Handle("GET /assets/", noSniff(http.FileServerFS(assets)))

	return guardPages("try", p.Guard, mux)
}

// parseVisit reads a visit from a form. What is no JSON object is an error.
func parseVisit(form url.Values) (Visit, error) {
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
	visit, err := parseVisit(form)
	view := panelView{
		Visit: visit, Properties: form.Get("properties"), Groups: form.Get("groups"), Devices: devices, World: p.World, App: p.App,
		Renderer: web.PosthogJSVersion(), Query: form.Encode(), Clock: p.World.Now().UTC().Format("2006-01-02T15:04"),
	}
	view.Frame = "app?" + view.Query
	if err == nil {
		view.Shown, err = p.World.Offers(visit)
	}
	if err != nil {
		view.Problem = err.Error()
	}
	view.Seen = p.World.recentEvents()
	writePage(w, pages, "panel.html", panelPolicy, view)
}

// appView has the contents of the page of an app.
type appView struct {
	URL   string
	Start string
}

// getApp serves the page on which posthog-js runs.
func (p *Panel) getApp(w http.ResponseWriter, r *http.Request) {
	visit, err := parseVisit(r.URL.Query())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	start, err := json.Marshal(map[string]any{
		"token": p.World.Token, "api_host": p.World.URL, "world": p.World.id, "visit": visit, "properties": visit.personProperties(),
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writePage(w, pages, "app.html", p.appPolicy(), appView{URL: p.World.URL, Start: string(start)})
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

// maxForm bounds the form of the clock, in bytes.
const maxForm = 4 << 10

// setClock stops the clock of the world at a time, or lets it run again, and returns to the
// panel.
func (p *Panel) setClock(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var at *time.Time
	if text := r.PostForm.Get("clock"); text != "" && !r.PostForm.Has("run") {
		t, err := time.Parse("2006-01-02T15:04", text)
		if err != nil {
			http.Error(w, fmt.Sprintf("clock: must be a date and a time, is %q", text), http.StatusBadRequest)
			return
		}
		at = &t
	}
	p.World.stopClock(at)
	back := url.URL{Path: "/", RawQuery: r.PostForm.Get("query")}
	http.Redirect(w, r, back.RequestURI(), http.StatusSeeOther)
}

// Answer is the answer to a question, with the property that holds it.
type Answer struct{ Question, Key, Text string }

// responsePrefix begins the properties that hold answers; the id of the question follows.
const responsePrefix = "$survey_response_"

// seenView has the events of a panel.
type seenView struct{ Rows []seenRow }

// seenRow is an event in words.
type seenRow struct {
	testserver.Event

	Survey  string
	Answers []Answer
}

// mostRows bounds the events that a panel shows.
const mostRows = 50

// recentEvents are the newest events, newest first.
func (w *World) recentEvents() seenView {
	names, questions := map[string]string{}, map[string]string{}
	for _, survey := range w.server.Surveys(w.projectID) {
		names[jsonvalue.String(survey["id"])] = jsonvalue.String(survey["name"])
		listed, _ := survey["questions"].([]any)
		for _, element := range listed {
			question, _ := element.(map[string]any)
			questions[jsonvalue.String(question["id"])] = jsonvalue.String(question["question"])
		}
	}

	events := w.surveyEvents()
	slices.Reverse(events)
	var view seenView
	for _, event := range events[:min(len(events), mostRows)] {
		view.Rows = append(view.Rows, seenRow{Event: event, Survey: names[event.SurveyID], Answers: listAnswers(event, questions)})
	}
	return view
}

// surveyEvents are the events of surveys: an app sends others without end.
func (w *World) surveyEvents() []testserver.Event {
	return slices.DeleteFunc(w.server.Events(testserver.EventFilter{}), func(event testserver.Event) bool { return event.SurveyID == "" })
}

// listAnswers are the answers in an event, sorted by property.
func listAnswers(event testserver.Event, questions map[string]string) []Answer {
	var answers []Answer
	for key, value := range event.Properties {
		if id, ok := strings.CutPrefix(key, responsePrefix); ok {
			answers = append(answers, Answer{Question: questions[id], Key: key, Text: answerText(value)})
		}
	}
	slices.SortFunc(answers, func(a, b Answer) int { return strings.Compare(a.Key, b.Key) })
	return answers
}

// answerText is an answer as a person gave it: texts without quotes, several joined.
func answerText(answer any) string {
	switch answer := answer.(type) {
	case nil:
		return ""
	case []any:
		texts := make([]string, len(answer))
		for i, text := range answer {
			texts[i] = answerText(text)
		}
		return strings.Join(texts, ", ")
	}
	return jsonvalue.String(answer)
}

// getVersion serves a text that is another one once more events have arrived. It is asked for
// all the time, and so leaves the journal of the server alone.
func (p *Panel) getVersion(w http.ResponseWriter, _ *http.Request) {
	events := p.World.surveyEvents()
	version := strconv.Itoa(len(events))
	if len(events) > 0 {
		version += " " + events[len(events)-1].UUID.String()
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	// The browser is gone when this fails: there is no one to report it to.
	_, _ = io.WriteString(w, version)
}
