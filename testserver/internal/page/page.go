// Package page is the page of the test server for a person: what it shows, as plain
// values, and the HTML of that. It knows nothing of the server; whoever calls it says
// what is there. All text is escaped here and nowhere else.
package page

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"strings"
	"time"
)

// Policy is the Content Security Policy of the page: it loads only from its own server,
// allows no inline script or style, and lets only its own script turn text into HTML.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types page"

// Below is the path below which the page has its assets, events and forms, seen from the
// page itself: it has relative addresses alone, since the server may be mounted anywhere.
const Below = "_testserver/page/"

//go:embed templates
var templates embed.FS

//go:embed assets
var assets embed.FS

var parsed = template.Must(template.New("").Funcs(template.FuncMap{
	"below": func() string { return Below },
}).ParseFS(templates, "templates/*.html"))

// Page is what the page shows.
type Page struct {
	// Profile is how the server behaves.
	Profile string
	// World is the world that is shown, empty for the one of the start; Worlds are those
	// there are besides.
	World  string
	Worlds []string
	// Search is the part of a name that surveys and apps must have to be shown.
	Search string
	// Problem says why a form was refused; Done what one did.
	Problem, Done string

	// Environment are the variables by which clients find the server and what is shown.
	Environment []Variable

	Clock   Clock
	Objects Objects
	Faults  Faults
	Journal Journal
	// Survey is the survey that is looked at, nil for none; App is the import app.
	Survey *Survey
	App    *App
}

// Variable is an environment variable of clients.
type Variable struct{ Name, Value string }

// Clock is the time of the server.
type Clock struct {
	Now time.Time
	// Stopped reports whether the clock is stopped.
	Stopped bool
}

// Objects are the surveys and import apps.
type Objects struct {
	// Page is the page that they are on, for its addresses.
	*Page

	Projects      []Project
	Organizations []Organization
}

// Project is a project with its surveys, newest first.
type Project struct {
	ID      int64
	Name    string
	Surveys []SurveyRow
	// Total is the number of surveys of the project, Found of those that match the search.
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
	// Total is the number of apps of the organization, Found of those that match the search.
	Total, Found int
}

// AppRow is an import app in a list.
type AppRow struct {
	ID              int64
	Name, Type, Tag string
	Global          bool
}

// App is an import app by itself.
type App struct {
	ID   int64
	Name string
	// Facts are its fields, JSON all of it.
	Facts []Fact
	JSON  string
}

// Fact is a field of an object.
type Fact struct {
	Name, Value string
	// Code is set for a value that is JSON or an id, not text for people.
	Code bool
}

// Regions are the parts of the page that change by themselves, but for the journal, by
// the id of their elements.
func (p *Page) Regions() []string {
	regions := []string{"faults", "clock"}
	switch {
	case p.Survey != nil:
		regions = append(regions, "survey")
	case p.App != nil:
		regions = append(regions, "app")
	default:
		regions = append(regions, "objects")
	}
	if p.Problem != "" {
		regions = append(regions, "notice")
	}
	return regions
}

// Write writes the page.
func (p *Page) Write(w http.ResponseWriter, status int) {
	var b bytes.Buffer
	if err := parsed.ExecuteTemplate(&b, "page.html", p.prepared()); err != nil {
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
	// The browser is gone when this fails: there is no one to report it to.
	_, _ = b.WriteTo(w)
}

// Region is the HTML of a part of the page, by the id of its element.
func (p *Page) Region(name string) (string, error) {
	var b bytes.Buffer
	err := parsed.ExecuteTemplate(&b, name, p.prepared())
	return strings.TrimSpace(b.String()), err
}

// prepared hands the page to its parts.
func (p *Page) prepared() *Page {
	p.Objects.Page, p.Journal.Page = p, p
	return p
}

// Assets serves the stylesheet and the script of the page.
func Assets() http.Handler {
	files, err := fs.Sub(assets, "assets")
	if err != nil {
		panic(err) // the folder is embedded
	}
	serve := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "" {
			http.NotFound(w, r) // a list of the files is of no use
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-cache")
		serve.ServeHTTP(w, r)
	})
}

// Text is the time as the page writes it. That of a clock that runs has no parts of a
// second: it would be another one each time that one looks.
func (c Clock) Text() string {
	if c.Stopped {
		return c.Now.UTC().Format("2006-01-02 15:04:05.000")
	}
	return c.Now.UTC().Format(time.DateTime)
}
