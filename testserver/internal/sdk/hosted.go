package sdk

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Pages that replace a survey's page. As in PostHog, the page for a survey that takes no answers differs
// from the page for a survey that does not exist.
var (
	misnamedSurvey = Notice{Title: "Invalid request", Text: "The requested survey is not available."}
	unknownSurvey  = Notice{Title: "Survey not available", Text: "The requested survey is not available."}
	quietSurvey    = Notice{
		Title: "Feels quiet in here",
		Text:  "This survey is not taking answers: it is not an external survey, has not been launched, or has ended.",
	}
)

// serveSurveyPage responds with the page of an external survey.
func serveSurveyPage(x *Call) (wire.Response, *wire.Failure) {
	id := x.values["survey"]
	if _, err := uuid.Parse(id); err != nil {
		return surveyNotice(http.StatusBadRequest, misnamedSurvey)
	}
	survey, err := x.Store.FindSurvey(id)
	if err != nil {
		return surveyNotice(http.StatusNotFound, unknownSurvey)
	}
	if !takesAnswersOnPage(survey, x.Now) {
		return surveyNotice(http.StatusNotFound, quietSurvey)
	}

	query := x.Request.URL.Query()
	page := SurveyPage{
		Address: service.ServerURL(x.Request), Name: survey.Name, Survey: wire.NewObject(deliveredSurvey(x.Store, survey)...),
		Token: x.apps.WorldToken(x.Store.Projects.Get(survey.Project)), IsEmbedded: query.Get("embed") == "true",
	}
	if code := service.LanguageCode(query.Get("display_language")); service.IsLanguage(code) {
		page.Language = code
	}
	html, err := page.HTML()
	if err != nil {
		return wire.Response{}, wire.ServerError()
	}

	header := surveyPageHeader()
	if survey.Value("enable_iframe_embedding").Spelling() != "true" {
		header.Set("X-Frame-Options", "DENY")
	}
	return wire.Response{Status: http.StatusOK, ContentType: htmlContent, Header: header, Body: html}, nil
}

// takesAnswersOnPage reports whether a survey is external and running.
func takesAnswersOnPage(s *store.Survey, now time.Time) bool {
	return s.IsRunning() && s.Text(store.SurveyTable, "type") == string(api.ExternalSurvey) && !surveyDate(s, "start_date").After(now)
}

const htmlContent = "text/html; charset=utf-8"

// surveyPageHeader returns the header of survey pages and of the pages that replace them. PostHog lets
// browsers cache the page for five minutes. This server doesn't, so that changes are visible immediately.
func surveyPageHeader() http.Header {
	return http.Header{
		"Cache-Control":           {"no-cache"},
		"Content-Security-Policy": {PagePolicy}, "Referrer-Policy": {"no-referrer"}, "X-Content-Type-Options": {"nosniff"},
	}
}

// surveyNotice responds with a page that replaces a survey's page.
func surveyNotice(status int, notice Notice) (wire.Response, *wire.Failure) {
	html, err := notice.HTML()
	if err != nil {
		return wire.Response{}, wire.ServerError()
	}
	header := surveyPageHeader()
	header.Set("X-Frame-Options", "DENY")
	return wire.Response{Status: status, ContentType: htmlContent, Header: header, Body: html}, nil
}

var (
	scriptContent = "application/javascript; charset=utf-8"
	styleContent  = "text/css; charset=utf-8"
	plainContent  = "text/plain; charset=utf-8"
	versionForm   = regexp.MustCompile(`^\d{1,5}(\.\d{1,5}){0,2}(-[0-9A-Za-z.-]{1,40})?$`)
)

// scripts maps the names of files below /static/ to their contents.
var scripts = sync.OnceValue(func() map[string][]byte {
	served := map[string][]byte{}
	for _, files := range []fs.FS{web.PosthogJS(), Assets()} {
		names, err := fs.ReadDir(files, ".")
		if err != nil {
			continue
		}
		for _, file := range names {
			if content, err := fs.ReadFile(files, file.Name()); err == nil {
				served[file.Name()] = content
			}
		}
	}
	delete(served, "package.json")

	// In PostHog, array.full.js contains everything. Here, it contains what surveys need.
	served["array.full.js"] = slices.Concat(served["surveys.js"], []byte("\n;"), served["array.js"])
	return served
})

// withoutPart is the response to posthog-js requests for parts of PostHog that this server does not implement.
const withoutPart = "// posthog-testserver serves surveys only: this part of posthog-js does nothing here.\n"

// serveScript serves a file of posthog-js. Browsers revalidate it on each use. Only a file below the
// embedded version's own path can be cached, because it never changes.
func serveScript(x *Call) (wire.Response, *wire.Failure) {
	name, version := x.values["script"], x.values["version"]
	content, ok := scripts()[name]
	if requested := cmp.Or(version, x.Request.URL.Query().Get("v")); !ok && strings.HasSuffix(name, ".js") && versionForm.MatchString(requested) {
		// posthog-js requests its parts with a version.
		content, ok = []byte(withoutPart), true
	}
	if !ok || version != "" && !versionForm.MatchString(version) {
		return *plainText(http.StatusNotFound, fmt.Sprintf("posthog-testserver contains these files of posthog-js %s: array.js, array.full.js, surveys.js, and their "+
			"licenses. Use /static/surveys.js or /static/%[1]s/surveys.js.\n", web.PosthogJSVersion())), nil
	}

	tag := `"` + web.PosthogJSVersion() + "-" + name + `"`
	header := http.Header{"Cache-Control": {"no-cache"}, "Etag": {tag}, "X-Content-Type-Options": {"nosniff"}}
	if version == web.PosthogJSVersion() {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	reply := wire.Response{Status: http.StatusOK, ContentType: scriptContent, Header: header, Body: content}
	switch {
	case x.Request.Header.Get("If-None-Match") == tag:
		reply.Status, reply.Body = http.StatusNotModified, nil
	case strings.HasSuffix(name, ".css"):
		reply.ContentType = styleContent
	case !strings.HasSuffix(name, ".js"):
		reply.ContentType = plainContent
	}
	return reply, nil
}

// serveScriptOfProject serves posthog-js and the remote config of a project in one file.
func serveScriptOfProject(x *Call) (wire.Response, *wire.Failure) {
	config, f := serveConfigScript(x)
	if f != nil || config.Status != http.StatusOK {
		return config, f
	}
	config.Body = slices.Concat(config.Body, scripts()["array.js"])
	return config, nil
}

//go:embed templates
var templates embed.FS

//go:embed assets
var assets embed.FS

var parsed = template.Must(template.ParseFS(templates, "templates/*.html"))

// PagePolicy is the Content-Security-Policy of all pages of this package. A page has an opaque origin. It
// loads scripts only from the server, but images from anywhere, because survey texts contain images. The
// renderer and survey texts contain inline styles.
const PagePolicy = "sandbox allow-scripts allow-forms allow-popups; default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
	"img-src * data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

// SurveyPage is the page of a survey that takes answers.
type SurveyPage struct {
	// Address is the server's URL, without a trailing slash.
	Address string
	// Name is the name of the survey. Survey is the survey in the form that apps receive.
	Name   string
	Survey wire.Value
	// Token is the project token.
	Token string
	// Language selects the translation of the survey. If it is empty, the page uses the browser's language.
	Language string
	// IsEmbedded is true if the page is displayed inside another page, without its own frame.
	IsEmbedded bool
}

// settings are the values that the page's script reads.
type settings struct {
	Host     string `json:"host"`
	Token    string `json:"token"`
	Language string `json:"language,omitempty"`
}

// Settings returns the values that the page's script reads.
func (p SurveyPage) Settings() any { return settings{p.Address, p.Token, p.Language} }

// HTML renders the page.
func (p SurveyPage) HTML() ([]byte, error) { return execute("survey.html", p) }

// Notice is a page that is shown instead of the page of a survey that takes no answers.
type Notice struct{ Title, Text string }

// HTML renders the page.
func (n Notice) HTML() ([]byte, error) { return execute("notice.html", n) }

func execute(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	err := parsed.ExecuteTemplate(&b, name, data)
	return b.Bytes(), err
}

// Assets returns the script and the stylesheet of survey pages.
func Assets() fs.FS {
	files, err := fs.Sub(assets, "assets")
	if err != nil {
		return assets
	}
	return files
}
