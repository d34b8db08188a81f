package testserver_test

import (
	"bytes"
	"encoding/json"
	"html/template"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// appTemplate is an app's page. The page contains posthog-js in its own bundle, as an app that installs the npm
// package, or loads it from the server, as the snippet does.
var appTemplate = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en">
<title>App</title>
<h1>App</h1>
<button id="feedback">Feedback</button>
<div id="inline"></div>
<script>
{{if .Script}}window.posthog = [];
posthog._i = [];
posthog.__SV = 1;
posthog.init = (...started) => posthog._i.push(started);
const script = document.createElement("script");
script.crossOrigin = "anonymous";
script.async = true;
script.src = {{.Server}} + {{.Script}};
document.head.append(script);
{{else}}</script>
<script src="/bundle.js"></script>
<script>
{{end}}posthog.init({{.Token}}, {
	api_host: {{.Server}},
	opt_out_useragent_filter: true,
	disable_session_recording: true,
	autocapture: false,
	...({{.Person}} ? { bootstrap: { distinctID: {{.Person}}, isIdentifiedID: true } } : {}),
	...{{.Options}},
	loaded: (client) => {
		window.app = client;
		window.known = Promise.all([
			new Promise((done) => client.onFeatureFlags(() => done())),
			new Promise((done) => client.onSurveysLoaded(() => done())),
		]);
	},
});

// What is inside a survey, which is in a tree of its own.
window.inSurvey = (selector) => [...document.querySelectorAll("[class^=PostHogSurvey-], [class^=PostHogWidget], .ph-survey-widget-tab, #inline")]
	.map((element) => (element.shadowRoot ?? element).querySelector(selector)).find((found) => found) ?? null;
</script>
`))

// appView describes who opens an app's page, and how the app loads posthog-js.
type appView struct {
	// Person is the distinct ID. It is empty for an anonymous person.
	Person string
	// Script is the path from which the app loads posthog-js. It is empty for an app that bundles it.
	Script string
	// Options are additional options for posthog.init, in JSON.
	Options string
	// Path is the path of the page. Empty means /.
	Path string
}

// appHost serves the pages of apps from a different origin than the server.
type appHost struct {
	srv     *testserver.Instance
	browser *browsertest.Browser
	url     string
}

// hostApp starts an app that uses the server's project.
func hostApp(t *testing.T, srv *testserver.Instance, browser *browsertest.Browser) *appHost {
	t.Helper()
	h := &appHost{srv: srv, browser: browser}
	var bundle []byte
	for _, name := range []string{"surveys.js", "array.js"} {
		script, err := fs.ReadFile(web.PosthogJS(), name)
		require.NoError(t, err)
		bundle = append(append(bundle, script...), '\n', ';')
	}

	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bundle.js" {
			w.Header().Set("Content-Type", "application/javascript; charset=utf-8")
			_, _ = w.Write(bundle)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Query().Has("view") {
			_, _ = w.Write(h.page(t, r))
		}
	}))
	t.Cleanup(pages.Close)
	// A different host name makes it a different site.
	h.url = strings.Replace(pages.URL, "127.0.0.1", "localhost", 1)
	return h
}

// page returns the page for a request. The parameter view contains the [appView].
func (h *appHost) page(t *testing.T, r *http.Request) []byte {
	var view appView
	if err := json.Unmarshal([]byte(r.URL.Query().Get("view")), &view); err != nil {
		t.Errorf("could not read the view: %v", err)
	}
	if view.Options == "" {
		view.Options = "{}"
	}
	var page bytes.Buffer
	err := appTemplate.Execute(&page, struct {
		appView
		Server, Token string
		Options       template.JS
	}{view, h.srv.URL, h.srv.ProjectToken(h.srv.ProjectID), template.JS(view.Options)})
	if err != nil {
		t.Error(err)
	}
	return page.Bytes()
}

// address returns the URL of the page for a view.
func (h *appHost) address(t *testing.T, view appView) string {
	t.Helper()
	raw, err := json.Marshal(view)
	require.NoError(t, err)
	path, query, _ := strings.Cut(view.Path, "?")
	return h.url + "/" + strings.TrimPrefix(path, "/") + "?view=" + template.URLQueryEscaper(string(raw)) + "&" + query
}

// appPage is an app's open page.
type appPage struct {
	*browsertest.Page
	t    *testing.T
	host *appHost
}

// open opens a page in a fresh profile.
func (h *appHost) open(t *testing.T, view appView) *appPage {
	t.Helper()
	return &appPage{h.browser.Open(t, h.address(t, view), browsertest.View{Fresh: true}), t, h}
}

// again opens a page in the same browser profile.
func (p *appPage) again(view appView) {
	p.t.Helper()
	p.Visit(p.t, p.host.address(p.t, view))
}

// leave navigates away from the app.
func (p *appPage) leave() {
	p.t.Helper()
	p.Visit(p.t, p.host.url+"/elsewhere")
}

// offered returns the names of the surveys that posthog-js offers to the person.
func (p *appPage) offered() []string {
	p.t.Helper()
	var names []string
	p.Evaluate(p.t, `(async () => {
		while (!window.known) await new Promise((next) => setTimeout(next, 20));
		await known;
		return new Promise((done) => app.getActiveMatchingSurveys((surveys) => done(surveys.map((survey) => survey.name)), true));
	})()`, &names)
	return names
}

// shows waits until a survey shows an element that matches the selector, and returns the element's text.
func (p *appPage) shows(selector string) string {
	p.t.Helper()
	var text string
	waitFor(p.t, p.Page, `window.inSurvey?.(`+strconv.Quote(selector)+`)`)
	p.Evaluate(p.t, `inSurvey(`+strconv.Quote(selector)+`)?.textContent ?? ""`, &text)
	return text
}

// press waits until an element in a survey is enabled, and clicks it.
func (p *appPage) press(selector string) {
	p.t.Helper()
	quoted := strconv.Quote(selector)
	waitFor(p.t, p.Page, `window.inSurvey?.(`+quoted+`) && !inSurvey(`+quoted+`).disabled && (inSurvey(`+quoted+`).click(), true)`)
}

// write enters a text into a field of a survey.
func (p *appPage) write(selector, text string) {
	p.t.Helper()
	p.shows(selector)
	p.Evaluate(p.t, `(() => {
		const field = inSurvey(`+strconv.Quote(selector)+`);
		Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, `+strconv.Quote(text)+`);
		return field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
	})()`, new(bool))
}

// submit sends the answer to the current question, and waits until the survey shows something else.
func (p *appPage) submit() {
	p.t.Helper()
	var before string
	p.Evaluate(p.t, `inSurvey(".survey-question, .thank-you-message-header")?.textContent ?? ""`, &before)
	p.press(".form-submit")
	waitFor(p.t, p.Page, `(inSurvey(".survey-question, .thank-you-message-header")?.textContent ?? "") !== `+strconv.Quote(before))
}
