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

// Panel is a page on which the user describes a person and a visit. It shows which surveys PostHog would
// show to this person.
type Panel struct {
	World *World
	// App is the URL of an app that shows the surveys. If it is empty, the panel uses the built-in page.
	App string
	// Guard rejects requests from other websites.
	Guard *web.Guard
}

// Handler serves the panel at / and the built-in app page at /app.
func (p *Panel) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.getPanel)
	mux.HandleFunc("GET /version", p.getVersion)
	mux.HandleFunc("GET /app", p.getApp)
	mux.HandleFunc("POST /clock", p.setClock)
	mux.Handle("GET /assets/", noSniff(http.FileServerFS(assets)))

	return guardPages("try", p.Guard, mux)
}

// parseVisit parses a visit from form values. Properties and groups must be JSON objects.
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

// panelView contains the values for the panel's template.
type panelView struct {
	Visit Visit
	// Properties and Groups contain the text that the user entered.
	Properties, Groups string
	Devices            []string
	Problem            string
	Shown              []testserver.SurveyOffer
	Seen               seenView
	Clock              string
	World              *World
	App, Frame         string
	Renderer           string
	// Query is the visit, encoded as a URL query.
	Query string
}

// devices lists the device types that posthog-js distinguishes.
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

// appView contains the values for the app page's template.
type appView struct {
	URL   string
	Start string
}

// getApp serves the page that runs posthog-js.
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

// panelPolicy allows the panel to load only its own files.
const panelPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// appPolicy allows the app page to load only from the world's server, because survey texts may contain
// scripts.
func (p *Panel) appPolicy() string {
	return "default-src 'none'; script-src 'self' " + p.World.URL + "; connect-src " + p.World.URL + "; style-src 'self' 'unsafe-inline'; " +
		"img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
}

// maxForm limits the size of the clock form, in bytes.
const maxForm = 4 << 10

// setClock stops the world's clock at a time or restarts it, and redirects to the panel.
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
			http.Error(w, fmt.Sprintf("clock: must be a date and a time, not %q", text), http.StatusBadRequest)
			return
		}
		at = &t
	}
	p.World.stopClock(at)
	back := url.URL{Path: "/", RawQuery: r.PostForm.Get("query")}
	http.Redirect(w, r, back.RequestURI(), http.StatusSeeOther)
}

// Answer is a question's answer, with the event property that contains it.
type Answer struct{ Question, Key, Text string }

// responsePrefix is the prefix of event properties that contain answers. The question's ID follows it.
const responsePrefix = "$survey_response_"

// seenView contains the events that the panel shows.
type seenView struct{ Rows []seenRow }

// seenRow describes an event.
type seenRow struct {
	testserver.Event

	Survey  string
	Answers []Answer
}

// mostRows limits the number of events that the panel shows.
const mostRows = 50

// recentEvents returns the most recent events, newest first.
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

// surveyEvents returns the survey events, and omits other events that apps send.
func (w *World) surveyEvents() []testserver.Event {
	return slices.DeleteFunc(w.server.Events(testserver.EventFilter{}), func(event testserver.Event) bool { return event.SurveyID == "" })
}

// listAnswers returns the answers in an event, sorted by property.
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

// answerText formats an answer as the respondent entered it: text without quotes, or several choices joined.
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

// getVersion serves a text that changes when events arrive. The panel polls it, so the server's journal
// does not record these requests.
func (p *Panel) getVersion(w http.ResponseWriter, _ *http.Request) {
	events := p.World.surveyEvents()
	version := strconv.Itoa(len(events))
	if len(events) > 0 {
		version += " " + events[len(events)-1].UUID.String()
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	// A write fails only if the browser closed the connection, so no one would see the error.
	_, _ = io.WriteString(w, version)
}
