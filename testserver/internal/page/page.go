// Package page serves the test server's page. The page shows a world, refreshes itself while it is open, and has
// forms that call the world's operations. Only the templates escape text.
package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/control"
)

// Policy is the Content Security Policy of the page. The page loads resources only from its own server
// and allows no inline script or style. Only its own script may turn text into HTML.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types page"

// Below is the path of the page's assets and forms. It is relative because the server may be mounted at
// any path.
const Below = "_testserver/page/"

//go:embed templates
var templates embed.FS

//go:embed assets
var assets embed.FS

var parsed = template.Must(template.New("").Funcs(template.FuncMap{
	"named": displayName, "worded": displayText,
	"hasText": func(n Notice) bool { return n.Text != "" },
}).ParseFS(templates, "templates/*.html"))

// Page contains the data of the page.
type Page struct {
	// Profile is the server's profile.
	Profile string
	// Base is the relative path from the URL under which the page is shown to the page's own URL. It
	// is empty if they are the same.
	Base string
	// World is the world that the page shows. It is empty for the server itself. Gone reports whether the
	// world does not exist. The page then contains only Worlds.
	World  string
	Gone   bool
	Worlds []World
	// Tab is the selected section, which the page shows next to the journal.
	Tab string
	// Search is the text to find in names of surveys and apps. Status is the status of the listed
	// surveys. Both may be empty.
	Search, Status string
	// Notice is the result of the last form.
	Notice Notice

	// Environment are the environment variables for clients of the world.
	Environment []control.Variable

	Clock Clock
	// AppsRemoved reports whether the routes of import apps are removed.
	AppsRemoved bool
	Objects     Objects
	Faults      Faults
	Journal     Journal
	// Events are the newest events, newest first. It is empty unless the page shows this section.
	Events []EventRow
	// Report is the report of the world. It is empty unless the page shows this section.
	Report string
	// Survey and App are the selected survey or import app, or nil if there is none.
	Survey *Survey
	App    *App
}

// World is a world of the server and the number of requests that it has answered.
type World struct {
	Name     string
	Requests int64
}

// Text returns the name of the world and its number of requests.
func (w World) Text() string { return w.Name + " (" + count(w.Requests, "request") + ")" }

// Clock is the server's clock.
type Clock struct {
	Now time.Time
	// Stopped reports whether the clock is stopped.
	Stopped bool
}

// Objects contains the listed surveys and import apps.
type Objects struct {
	// Page is the page that contains the lists. Links use its URL.
	*Page

	Projects      []Project
	Organizations []Organization
}

// Project is a project with its surveys, newest first.
type Project struct {
	ID      int64
	Name    string
	Surveys []SurveyRow
	// Total is the number of surveys in the project. Found is the number of surveys that match the
	// search.
	Total, Found int
}

// SurveyRow is a survey in a list.
type SurveyRow struct {
	ID, Name, Type, Status string
	Questions              int
	Responses              int64
}

// Organization is an organization with its import apps, newest first.
type Organization struct {
	ID, Name string
	Apps     []AppRow
	// Total is the number of apps in the organization. Found is the number of apps that match the
	// search.
	Total, Found int
}

// AppRow is an import app in a list.
type AppRow struct {
	ID              int64
	Name, Type, Tag string
	Global          bool
}

// App is the selected import app.
type App struct {
	ID   int64
	Name string
	// Facts are the app's fields. JSON is the whole app.
	Facts []Fact
	JSON  string
}

// Fact is a field of an object.
type Fact struct {
	Name, Value string
	// Code reports whether the value is indented JSON. Items is then the number of its members or
	// items.
	Code  bool
	Items int
}

// Summary describes the size of a JSON value.
func (f Fact) Summary() string {
	if strings.HasPrefix(f.Value, "[") {
		return count(int64(f.Items), "item")
	}
	return count(int64(f.Items), "field")
}

// Below returns the path of the assets and forms, relative to the current URL.
func (p *Page) Below() string { return p.Base + Below }

// Title returns the HTML title of the page.
func (p *Page) Title() string {
	const server = "PostHog test server"
	switch {
	case p.Survey != nil:
		return displayName(p.Survey.Name) + " · " + server
	case p.App != nil:
		return displayName(p.App.Name) + " · " + server
	}
	return server
}

// Write writes the page.
func (p *Page) Write(w http.ResponseWriter, status int) {
	var b bytes.Buffer
	if err := parsed.ExecuteTemplate(&b, "page.html", p.prepare()); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}

	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", Policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// Write fails only if the browser has disconnected, so no one can receive the error.
	_, _ = b.WriteTo(w)
}

// prepare links the parts of the page to the page.
func (p *Page) prepare() *Page {
	p.Objects.Page, p.Journal.Page = p, p
	return p
}

// Assets serves the page's stylesheet and script.
func Assets() http.Handler {
	files, err := fs.Sub(assets, "assets")
	if err != nil {
		return http.NotFoundHandler()
	}
	serve := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "" {
			http.NotFound(w, r) // don't list the directory
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-cache")
		serve.ServeHTTP(w, r)
	})
}

// Text formats the time. For a running clock, it omits fractional seconds, which would change with each
// update.
func (c Clock) Text() string {
	if c.Stopped {
		return c.Now.UTC().Format("2006-01-02 15:04:05.000")
	}
	return c.Now.UTC().Format(time.DateTime)
}

// Field formats the time for an input element. For a running clock, it omits the seconds, so that the
// element seldom changes.
func (c Clock) Field() string {
	if c.Stopped {
		return c.Now.UTC().Format("2006-01-02T15:04:05")
	}
	return c.Now.UTC().Format("2006-01-02T15:04:00")
}

// Address returns the URL of the page with replaced query parameters. pairs alternate between name and
// value. An empty value removes a parameter.
func (p *Page) Address(pairs ...any) template.URL {
	return template.URL(p.Base + p.query(pairs...)) //nolint:gosec // encoded
}

// query returns the page's query with some parameters replaced. See [Page.Address].
func (p *Page) query(pairs ...any) string {
	journal := p.Journal
	query := url.Values{}
	for name, value := range map[string]string{
		"world": p.World, "tab": p.Tab, "search": p.Search, "status": p.Status, "q": journal.Filter.Search,
		"errors": flag(journal.Errors), "faults": flag(journal.Filter.Faults), "writes": flag(journal.Writes),
	} {
		query.Set(name, value)
	}
	if journal.Before != 0 {
		query.Set("before", fmt.Sprint(journal.Before))
	}
	if p.Survey != nil {
		query.Set("survey", p.Survey.ID)
	}
	if p.App != nil {
		query.Set("app", fmt.Sprint(p.App.ID))
	}
	if journal.Detail != nil {
		query.Set("request", fmt.Sprint(journal.Detail.Number))
	}

	for i := 0; i+1 < len(pairs); i += 2 {
		query.Set(fmt.Sprint(pairs[i]), fmt.Sprint(pairs[i+1]))
	}
	for name := range query {
		if query.Get(name) == "" {
			query.Del(name)
		}
	}
	return "?" + query.Encode()
}

// flag returns the value of a Boolean query parameter.
func flag(set bool) string {
	if set {
		return "1"
	}
	return ""
}

// Elsewhere returns the URL of another world's page, or of the server's own page if world is empty.
func (p *Page) Elsewhere(world string) template.URL {
	query := url.Values{}
	if world != "" {
		query.Set("world", world)
	}
	return template.URL(p.Base + "?" + query.Encode()) //nolint:gosec // encoded
}

// Control returns the URL of a control path for the world that the page shows.
func (p *Page) Control(path string) string {
	path = p.Base + path
	if p.World == "" {
		return path
	}
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	return path + separator + url.Values{"world": {p.World}}.Encode()
}

// The names of sections in URLs, except the journal. The name of the surveys section is empty.
const (
	AppsTab   = "apps"
	FaultsTab = "faults"
	EventsTab = "events"
	ClockTab  = "clock"
	ReportTab = "report"
)

// FindTab returns the section with the given name. For an unknown name, it returns the surveys section.
func FindTab(name string) string {
	switch name {
	case AppsTab, EventsTab, FaultsTab, ClockTab, ReportTab:
		return name
	}
	return ""
}

// Tab is the link to a section.
type Tab struct {
	// Name is the ID of the section's element, and Tab is its name in URLs.
	Name, Tab, Title string
	Current          bool
}

// Tabs returns the links to the sections.
func (p *Page) Tabs() []Tab {
	current := p.Tab
	switch {
	case p.Survey != nil:
		current = ""
	case p.App != nil:
		current = AppsTab
	}
	tabs := []Tab{
		{Name: "surveys", Title: "Surveys"}, {Name: AppsTab, Tab: AppsTab, Title: "Apps"},
		{Name: EventsTab, Tab: EventsTab, Title: "Events"}, {Name: FaultsTab, Tab: FaultsTab, Title: "Faults"},
		{Name: ClockTab, Tab: ClockTab, Title: "Clock"}, {Name: ReportTab, Tab: ReportTab, Title: "Report"},
	}
	for i := range tabs {
		tabs[i].Current = tabs[i].Tab == current
	}
	return tabs
}

// View returns a text that changes when the page shows another section next to the journal.
func (p *Page) View() string {
	switch {
	case p.Journal.Detail != nil:
		return fmt.Sprint("request ", p.Journal.Detail.Number)
	case p.Survey != nil:
		return "survey " + p.Survey.ID
	case p.App != nil:
		return fmt.Sprint("app ", p.App.ID)
	}
	return "tab " + p.Tab
}

// FaultsText returns the number of active rules.
func (p *Page) FaultsText() string { return count(int64(len(p.Faults.Rules)), "fault") }

// Statuses returns the statuses by which the page can filter surveys.
func (Objects) Statuses() []string { return []string{"draft", "running", "completed", "archived"} }
