package visit_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/visit"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
)

// panel serves the panel of a world until the test ends, and returns its URL.
func panel(t *testing.T, world *visit.World) string {
	t.Helper()
	guard, err := web.NewGuard(nil)
	require.NoError(t, err)
	p := &visit.Panel{World: world, Guard: guard}
	srv := httptest.NewServer(p.Handler())
	t.Cleanup(srv.Close)
	return srv.URL + "/"
}

// inApp evaluates JavaScript for the survey in the app, if the app shows one. root is the element that contains the
// survey.
func inApp(expression string) string {
	return `new Promise((done) => {
		const look = () => {
			const app = document.querySelector("iframe").contentDocument;
			const root = app?.querySelector("div[class^=PostHogSurvey-]")?.shadowRoot;
			const value = root?.textContent && (` + expression + `);
			value ? done(value) : setTimeout(look, 50);
		};
		look();
	})`
}

// A person sees the survey that the panel lists, and answers it. The panel shows the answer with its property, and no
// longer offers the survey.
func TestAppShowsTheSurvey(t *testing.T) {
	t.Parallel()
	world := start(t, visit.Options{}, planned("Pro", `{"status": "running",
		"conditions": {"url": "/billing", "deviceTypes": ["Mobile"]},
		"translations": {"de": {"name": "Profi"}},
		"questions": [{"id": "q1", "type": "open", "question": "Why?", "translations": {"de": {"question": "Warum?"}}}],
		"targeting_flag_filters": {"groups": [{"properties": [{"key": "plan", "type": "person", "operator": "exact", "value": ["pro"]}], "rollout_percentage": 100}]}}`))
	visitor := url.Values{
		"distinct_id": {"ada"}, "properties": {`{"plan": "pro"}`}, "url": {"https://app.example.com/billing"}, "device": {"Mobile"}, "language": {"de"},
	}
	page := browsertest.Start(t).Open(t, panel(t, world)+"?"+visitor.Encode(), browsertest.View{Height: 1200})
	page.WaitFor(t, ".offers .offered")

	var text string
	page.Evaluate(t, inApp(`root.textContent`), &text)
	assert.Contains(t, text, "Warum?")
	page.Evaluate(t, inApp(`(() => {
		const area = root.querySelector("textarea");
		if (!area) return false;
		area.value = "Because <b>it</b> works";
		area.dispatchEvent(new Event("input", { bubbles: true }));
		setTimeout(() => root.querySelector(".form-submit").click(), 50);
		return true;
	})()`), new(bool))
	page.WaitFor(t, "#seen dd")
	seen := page.Text(t, "#seen")
	for _, want := range []string{"survey sent", "Pro", "ada", "Why?", "$survey_response_q1", "Because <b>it</b> works"} {
		assert.Contains(t, seen, want)
	}
	page.WaitFor(t, ".offers .kept")
	assert.Contains(t, page.Text(t, ".offers"), "this person has answered or dismissed it")
	assert.Empty(t, page.Errors())

	offers, err := world.Offers(visit.Visit{DistinctID: "ada", Properties: map[string]any{"plan": "pro"}, URL: "https://app.example.com/billing", Device: "Mobile"})
	require.NoError(t, err)
	require.Len(t, offers, 1)
	require.Len(t, offers[0].Reasons, 1)
	assert.Contains(t, offers[0].Reasons[0], "this person has answered or dismissed it")
}

// For each condition that the app decides, the app shows what the panel predicts.
func TestAppAgreesWithThePanel(t *testing.T) {
	t.Parallel()
	const question = `"status": "running", "questions": [{"id": "q1", "type": "open", "question": "Why?"}]`
	browser := browsertest.Start(t)
	for name, c := range map[string]struct {
		attributes string
		visit      url.Values
		isOffered  bool
	}{
		"other address":  {`"conditions": {"url": "https://app.example.com/billing", "urlMatchType": "exact"}`, url.Values{"url": {"https://app.example.com/"}}, false},
		"device":         {`"conditions": {"deviceTypes": ["Tablet"]}`, url.Values{"device": {"Tablet"}}, true},
		"other device":   {`"conditions": {"deviceTypes": ["Tablet"]}`, url.Values{"device": {"Console"}}, false},
		"pattern":        {`"conditions": {"url": "^https://[a-z.]+/b$", "urlMatchType": "regex"}`, url.Values{"url": {"https://app.example.com/b"}}, true},
		"selector":       {`"conditions": {"selector": "#none"}`, nil, false},
		"linked variant": {`"linked_flag_id": 5, "conditions": {"linkedFlagVariant": "b"}`, nil, true},
		"referrer":       {targeting(`"$initial_referring_domain"`, `"www.example.com"`), url.Values{"referrer": {"https://www.example.com/search"}}, true},
		"no referrer":    {targeting(`"$initial_referrer"`, `"$direct"`), nil, true},
		"arrival":        {targeting(`"$initial_pathname"`, `"/billing"`), url.Values{"url": {"https://app.example.com/billing?utm_source=mail"}}, true},
		"other arrival":  {targeting(`"$initial_pathname"`, `"/billing"`), url.Values{"url": {"https://app.example.com/"}}, false},
		"campaign":       {targeting(`"$initial_utm_source"`, `"mail"`), url.Values{"url": {"https://app.example.com/?utm_source=mail"}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			world := start(t, visit.Options{}, planned("S", `{`+question+`, `+c.attributes+`}`))
			page := browser.Open(t, panel(t, world)+"?"+c.visit.Encode(), browsertest.View{})
			if c.isOffered {
				page.WaitFor(t, ".offers .offered")
				page.Evaluate(t, inApp(`true`), new(bool))
				return
			}

			page.WaitFor(t, ".offers .kept")
			assert.Zero(t, matching(t, page))
		})
	}
}

// In an app, posthog-js shows one survey after another in the order that the trial assumes: by delay, with the schedule
// always last. A survey with a wait period does not follow another one.
func TestAppShowsSurveysInTheExpectedOrder(t *testing.T) {
	t.Parallel()
	survey := func(text, more string) source.Object {
		return planned(text, `{"status": "running", "questions": [{"type": "open", "question": "`+text+`"}]`+more+`}`)
	}
	world := start(t, visit.Options{},
		survey("Always", `, "schedule": "always", "linked_flag_id": 5`), // without a flag, it may appear before flags are loaded
		survey("Late", `, "appearance": {"surveyPopupDelaySeconds": 2}`),
		survey("Waiting", `, "appearance": {"surveyPopupDelaySeconds": 1}, "conditions": {"seenSurveyWaitPeriodInDays": 30}`),
		survey("First", ``),
	)
	page := browsertest.Start(t).Open(t, panel(t, world), browsertest.View{})

	var shown []string
	page.Evaluate(t, `new Promise((done) => {
		const shown = [];
		const look = () => {
			const app = document.querySelector("iframe").contentDocument;
			const root = app?.querySelector("div[class^=PostHogSurvey-]")?.shadowRoot;
			const text = root?.querySelector(".survey-question")?.textContent;
			if (text && text !== shown.at(-1)) {
				shown.push(text);
			}
			root?.querySelector(".form-cancel")?.click();
			shown.length === 3 ? done(shown) : setTimeout(look, 50);
		};
		look();
	})`, &shown)

	assert.Equal(t, []string{"First", "Late", "Always"}, shown)
	want := map[string][]string{"First": {}, "Late": {}, "Always": {}, "Waiting": {
		`survey "First" is shown first in this visit, and conditions.seenSurveyWaitPeriodInDays = 30 hides this survey after any other`,
	}}
	assert.Equal(t, want, reasons(t, world, visit.Visit{DistinctID: "ada"}))
}

// targeting returns filters on a person property.
func targeting(key, value string) string {
	return `"targeting_flag_filters": {"groups": [{"properties": [{"key": ` + key + `, "type": "person", "operator": "exact", "value": [` + value + `]}], "rollout_percentage": 100}]}`
}

// matching returns the number of surveys that posthog-js would show to the person.
func matching(t *testing.T, page *browsertest.Page) int {
	t.Helper()
	var number int
	page.Evaluate(t, `new Promise((done) => {
		const look = () => {
			const posthog = document.querySelector("iframe").contentWindow.posthog;
			if (!posthog?.getActiveMatchingSurveys || !posthog.surveys) { setTimeout(look, 50); return; }
			posthog.onFeatureFlags(() => posthog.onSurveysLoaded(() => posthog.getActiveMatchingSurveys((surveys) => done(surveys.length), true)));
		};
		look();
	})`, &number)
	return number
}

// The properties of one visit do not affect the next visit of the same person.
func TestVisitsAreApart(t *testing.T) {
	t.Parallel()
	world := start(t, visit.Options{}, planned("S", `{"status": "running", "questions": [{"id": "q1", "type": "open", "question": "Why?"}], `+targeting(`"plan"`, `"pro"`)+`}`))
	address, browser := panel(t, world), browsertest.Start(t)

	page := browser.Open(t, address+"?"+url.Values{"distinct_id": {"ada"}, "properties": {`{"plan": "pro"}`}}.Encode(), browsertest.View{})
	page.WaitFor(t, ".offers .offered")
	page.Evaluate(t, inApp(`true`), new(bool))
	page.WaitFor(t, "#seen .events") // the app has identified ada

	page.Visit(t, address+"?distinct_id=ada")
	page.WaitFor(t, ".offers .kept")
	assert.Zero(t, matching(t, page))
}

// A browser remembers which surveys it has shown. A later trial at the same URL is not affected by this.
func TestTrialsAreApart(t *testing.T) {
	t.Parallel()
	survey := planned("S", `{"status": "running", "questions": [{"id": "q1", "type": "open", "question": "Why?"}]}`)
	survey.ID = "0190d6a4-0000-0000-8000-000000000009"
	trials := []*httputil.ReverseProxy{}
	for range 2 {
		target, err := url.Parse(panel(t, start(t, visit.Options{}, survey)))
		require.NoError(t, err)
		trials = append(trials, &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }})
	}
	var trial atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { trials[trial.Load()].ServeHTTP(w, r) }))
	t.Cleanup(srv.Close)

	page := browsertest.Start(t).Open(t, srv.URL, browsertest.View{})
	page.Evaluate(t, inApp(`(root.querySelector(".form-cancel")?.click(), true)`), new(bool))
	page.WaitFor(t, ".offers .kept")
	assert.Contains(t, page.Text(t, "#seen"), "survey dismissed")

	trial.Store(1)
	page.Visit(t, srv.URL)
	page.WaitFor(t, ".offers .offered")
	page.Evaluate(t, inApp(`true`), new(bool))
}

// The panel escapes survey and visit texts, and shows mistakes in a form next to the form.
func TestPanelTexts(t *testing.T) {
	t.Parallel()
	world := start(t, visit.Options{}, planned("<script>alert(1)</script>", `{"status": "running", "questions": []}`))
	address := panel(t, world)

	get := func(query url.Values) string {
		response, err := http.Get(address + "?" + query.Encode())
		require.NoError(t, err)
		defer func() { _ = response.Body.Close() }()
		require.Equal(t, http.StatusOK, response.StatusCode)
		assert.Contains(t, response.Header.Get("Content-Security-Policy"), "default-src 'none'")
		var text strings.Builder
		require.NoError(t, response.Write(&text))
		return text.String()
	}
	whole := get(url.Values{"distinct_id": {`"><script>alert(2)</script>`}})
	assert.NotContains(t, whole, "<script>alert")
	assert.Contains(t, whole, "&lt;script&gt;alert(1)")
	for _, text := range []string{"{", "[]", `{"a": 1} x`, strings.Repeat("[", 5000)} {
		assert.Contains(t, get(url.Values{"properties": {text}}), "properties: must be a JSON object", "%.20s", text)
	}
	assert.Contains(t, get(url.Values{"groups": {`{"company": 5}`}}), "groups: must be a JSON object")
}

// Other websites cannot read the panel, and only its owner can set the clock.
func TestPanelIsTheOwners(t *testing.T) {
	t.Parallel()
	world := start(t, visit.Options{}, source.Object{})
	address := panel(t, world)
	send := func(method, path, body string, header http.Header) int {
		request, err := http.NewRequestWithContext(t.Context(), method, address+path, strings.NewReader(body))
		require.NoError(t, err)
		request.Header = header
		if host := header.Get("Host"); host != "" {
			request.Host = host
		}
		response, err := http.DefaultTransport.RoundTrip(request)
		require.NoError(t, err)
		_ = response.Body.Close()
		return response.StatusCode
	}
	form := func(more ...string) http.Header {
		header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
		for i := 0; i < len(more); i += 2 {
			header.Set(more[i], more[i+1])
		}
		return header
	}

	assert.Equal(t, http.StatusMisdirectedRequest, send(http.MethodGet, "", "", http.Header{"Host": {"evil.example"}}))
	before := world.Now()
	assert.Equal(t, http.StatusForbidden, send(http.MethodPost, "clock", "clock=2030-01-01T10:00", form("Origin", "https://evil.example")))
	assert.Less(t, world.Now().Sub(before).Hours(), 1.0)
	assert.Equal(t, http.StatusBadRequest, send(http.MethodPost, "clock", "clock=soon", form()))
	assert.Equal(t, http.StatusSeeOther, send(http.MethodPost, "clock", "clock=2030-01-01T10:00", form()))
	assert.Equal(t, "2030-01-01T10:00:00Z", world.Now().Format("2006-01-02T15:04:05Z07:00"))
	assert.Equal(t, http.StatusSeeOther, send(http.MethodPost, "clock", "clock=2030-01-01T10:00&run=1", form()))
	assert.Less(t, world.Now().Sub(before).Hours(), 1.0)
}

// The panel is accessible, even on a narrow screen and in dark mode.
func TestPanelIsAccessible(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	world := start(t, visit.Options{},
		planned("Running", `{"status": "running", "linked_flag_id": 5, "questions": [{"id": "q1", "type": "open", "question": "Why?"}]}`),
		planned("Draft", `{"questions": [{"id": "q2", "type": "open", "question": "What?"}]}`))
	address := panel(t, world)

	for _, view := range []browsertest.View{{}, {Dark: true}, {Width: 320, Height: 800}} {
		for _, query := range []string{"", "?properties=%7B"} {
			page := browser.Open(t, address+query, view)
			page.WaitFor(t, "h1")
			assert.Empty(t, page.Violations(t, "iframe"), "%+v %s", view, query)
			var overflow int
			page.Evaluate(t, `document.documentElement.scrollWidth - document.documentElement.clientWidth`, &overflow)
			assert.Zero(t, overflow, "%+v %s", view, query)
		}
	}
}

// Setting the clock has the same effect as time passing in PostHog: the next iteration asks again.
func TestClockMovesIterations(t *testing.T) {
	t.Parallel()
	world := start(t, visit.Options{}, planned("Pulse", `{"start_date": "2026-01-01T00:00:00Z", "schedule": "recurring", "iteration_count": 3,
		"iteration_frequency_days": 30, "questions": [{"type": "open", "question": "Why?"}]}`))
	setClock := func(day string) {
		response, err := http.PostForm(panel(t, world)+"clock", url.Values{"clock": {day + "T00:00"}})
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
	}

	setClock("2026-01-02")
	offers, err := world.Offers(visit.Visit{DistinctID: "ada"})
	require.NoError(t, err)
	answered := visit.Visit{DistinctID: "ada", Properties: map[string]any{"$survey_responded/" + offers[0].ID + "/1": true}}
	assert.Len(t, reasons(t, world, answered)["Pulse"], 1)
	setClock("2026-02-02")
	assert.Empty(t, reasons(t, world, answered)["Pulse"])
}
