package testserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// waitFor waits until a JavaScript expression is true in the page.
func waitFor(t *testing.T, page *browsertest.Page, expression string) {
	t.Helper()
	var ok bool
	page.Evaluate(t, `(async () => {
		for (const end = Date.now() + 50000; Date.now() < end; await new Promise((next) => setTimeout(next, 20))) {
			if (`+expression+`) { return true; }
		}
		return false;
	})()`, &ok)
	require.True(t, ok, expression)
}

// The page shows changes on the server without a reload.
func TestPageFollows(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(pageFixtures)})
	page := browsertest.Start(t).Open(t, srv.URL+"/", browsertest.View{})
	page.WaitFor(t, "#objects")
	page.Evaluate(t, `window.loadedOnce = true`, new(bool))
	c := call(t, srv)

	created := c.post(surveys, `{"name":"Made over the API","type":"popover"}`).is(http.StatusCreated).object()
	page.WaitFor(t, "#survey-"+created["id"].(string))
	page.WaitFor(t, "#request-1")
	assert.Equal(t, "1 request", page.Text(t, "#total"))

	srv.PatchSurvey(npsID, testserver.Object{"name": "Renamed by somebody"})
	waitFor(t, page, `document.getElementById("survey-`+npsID+`").textContent === "Renamed by somebody"`)
	srv.SetFaults(testserver.Fault{Status: 500})
	waitFor(t, page, `document.getElementById("now").textContent === "1 fault"`)
	srv.ResetJournal()
	waitFor(t, page, `document.getElementById("requests").textContent.includes("No requests yet")`)

	var loadedOnce bool
	page.Evaluate(t, `window.loadedOnce === true`, &loadedOnce)
	assert.True(t, loadedOnce)
	assert.Empty(t, page.Errors())
	for _, request := range page.Requests() {
		assert.Regexp(t, "^("+srv.URL+"/|data:)", request)
	}
}

// The page distinguishes a waiting request from a dropped one. After the response, the request no longer matches the
// filter.
func TestPageWaits(t *testing.T) {
	t.Parallel()
	answer := make(chan struct{})
	srv := testserver.Start(t, testserver.Options{Sleep: func(context.Context, time.Duration) { <-answer }})
	srv.SetFaults(testserver.Fault{Operation: "surveys_list", DelayMS: 1}, testserver.Fault{Operation: "pipeline_import_apps_list", Drop: "before"})
	page := browsertest.Start(t).Open(t, srv.URL+"/", browsertest.View{})
	page.WaitFor(t, "#live.following")

	c := call(t, srv)
	_, err := c.try(http.MethodGet, apps, "")
	require.Error(t, err)
	page.WaitFor(t, "#request-1")
	done := make(chan struct{})
	go func() {
		defer close(done)
		send(srv.Server, http.MethodGet, surveys, "")
	}()
	page.WaitFor(t, "#request-2.waiting")
	assert.Equal(t, "none", page.Text(t, "#request-1 .code"))
	assert.Contains(t, page.Text(t, "#request-1"), "fault")
	page.Click(t, "#errors")
	waitFor(t, page, `location.search === "?errors=1" && document.getElementById("request-2") === null && document.getElementById("request-1") !== null`)
	page.Click(t, "#errors")
	page.WaitFor(t, "#request-2.waiting")

	// An open request shows its response when it arrives.
	page.Click(t, "#request-2 a")
	page.WaitFor(t, "#detail-title")
	assert.Contains(t, page.Text(t, "#detail-title"), "waiting")
	close(answer)
	<-done
	waitFor(t, page, `document.getElementById("detail-title").textContent.includes("200") && document.querySelector("#detail pre.body") !== null`)
	page.WaitFor(t, "#request-2.s2")
}

// With the keyboard only, filters keep the focus, and closing an element returns the focus to its link.
func TestPageKeyboard(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(pageFixtures), Worlds: true})
	c := call(t, srv)
	c.get(surveys).is(http.StatusOK)
	c.get(apps).is(http.StatusOK)
	c.with("Authorization", "Bearer phx_test_one").post(surveys, `{"name":"Of one","type":"popover"}`).is(http.StatusCreated)
	page := browsertest.Start(t).Open(t, srv.URL+"/", browsertest.View{})
	page.WaitFor(t, "#live.following")
	page.Evaluate(t, `window.loadedOnce = true`, new(bool))
	focused := func(id, address string) {
		t.Helper()
		waitFor(t, page, fmt.Sprintf("(document.activeElement.id || document.activeElement.parentElement.id) === %q && location.search === %q", id, address))
	}

	press := func(selector, key string) {
		t.Helper()
		page.Evaluate(t, fmt.Sprintf("document.querySelector(%q).focus() === undefined", selector), new(bool))
		page.Type(t, selector, key)
	}
	press("#q", "2xx surveys")
	focused("q", "?q=2xx+surveys")
	waitFor(t, page, `document.getElementById("rows").children.length === 1`)
	press("#q", " nothing")
	focused("q", "?q=2xx+surveys+nothing")
	waitFor(t, page, `document.getElementById("requests").textContent.includes("No request passes the filter")`)
	page.Evaluate(t, `document.getElementById("q").value = ""; true`, new(bool))
	press("#q", "\r")
	focused("q", "")

	press("#request-1 a", "\r")
	focused("detail-title", "?request=1")
	press("#close", "\r")
	focused("request-1", "")
	press("#request-2 a", "j")
	focused("request-1", "")
	press("#request-1 a", "k")
	focused("request-2", "")
	press("#request-2 a", "\r")
	focused("detail-title", "?request=2")
	press("#detail-title", "j")
	focused("detail-title", "?request=1")
	press("#detail-title", kb.Escape)
	focused("request-1", "")
	press("#survey-"+npsID, "\r")
	focused("survey-title", "?survey="+npsID)
	press("#survey a", "\r")
	focused("survey-"+npsID, "")

	press("#search", "exit\r")
	focused("search", "?search=exit")
	waitFor(t, page, `!document.getElementById("objects").textContent.includes("NPS")`)
	press("#world", "o")
	focused("world", "?world=one")
	waitFor(t, page, `document.getElementById("objects").textContent.includes("Of one")`)

	var loadedOnce bool
	page.Evaluate(t, `window.loadedOnce === true`, &loadedOnce)
	assert.True(t, loadedOnce)
	assert.Empty(t, page.Errors())
}

// A submitted search is not submitted again in the world that the user selects next.
func TestPageSearchesOnce(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(pageFixtures), Worlds: true})
	call(t, srv).with("Authorization", "Bearer phx_test_one").post(surveys, `{"name":"Of one","type":"popover"}`).is(http.StatusCreated)
	page := browsertest.Start(t).Open(t, srv.URL+"/", browsertest.View{})
	page.WaitFor(t, "#live.following")

	var asked []string
	page.Evaluate(t, `(async () => {
		const asked = [], original = window.fetch;
		let answer;
		const answered = new Promise((next) => { answer = next; });
		window.fetch = async (url, ...rest) => {
			asked.push(String(url));
			await answered;
			return original(url, ...rest);
		};
		const search = document.getElementById("search"), world = document.getElementById("world");
		search.value = "exit";
		search.dispatchEvent(new Event("input", { bubbles: true }));
		search.form.requestSubmit();
		world.value = "one";
		world.dispatchEvent(new Event("change", { bubbles: true }));
		await new Promise((next) => setTimeout(next, 251));
		answer();
		return asked;
	})()`, &asked)

	require.GreaterOrEqual(t, len(asked), 2)
	assert.Contains(t, asked, "?world=one")
	for _, address := range asked {
		assert.NotRegexp(t, "world=one.*search=|search=.*world=one", address)
	}
	waitFor(t, page, `location.search === "?world=one"`)
}

// The page shows that it has lost the connection to its server. After the server returns, it shows the current state.
func TestPageReconnects(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	start := func(address string, profile testserver.Profile) (*testserver.Server, *http.Server, string) {
		server, err := testserver.New(testserver.Options{Profile: profile})
		require.NoError(t, err)
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
		require.NoError(t, err)
		serving := &http.Server{Handler: server, ReadHeaderTimeout: time.Minute}
		go func() { _ = serving.Serve(listener) }()
		t.Cleanup(func() { _ = serving.Close() })
		return server, serving, listener.Addr().String()
	}

	first, serving, address := start("127.0.0.1:0", testserver.Documented)
	for range 3 {
		send(first, http.MethodGet, surveys, "")
	}
	page := browser.Open(t, "http://"+address+"/", browsertest.View{})
	page.WaitFor(t, "#live.following")
	require.NoError(t, serving.Close())
	page.WaitFor(t, "#live.lost")
	page.Evaluate(t, `document.querySelector("#request-2 a").focus() === undefined`, new(bool))
	assert.Equal(t, "Not connected", page.Text(t, "#live"))

	second, _, _ := start(address, testserver.Hosted)
	send(second, http.MethodGet, apps, "")
	page.WaitFor(t, "#live.following")
	waitFor(t, page, `document.getElementById("rows").children.length === 1`)
	assert.Equal(t, "1 request", page.Text(t, "#total"))
	assert.Equal(t, "Profile hosted", page.Text(t, "#profile"))
}

// Scroll positions and open elements stay the same when the page updates.
func TestPageKeepsItsPlace(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	for i := range 60 {
		srv.CreateSurvey(testserver.Object{"name": fmt.Sprintf("Survey %d", i), "type": "popover"})
	}
	page := browsertest.Start(t).Open(t, srv.URL+"/", browsertest.View{})
	page.WaitFor(t, "#live.following")
	page.Evaluate(t, `document.getElementById("context").scrollTop = 300`, new(int))
	survey := srv.CreateSurvey(testserver.Object{"name": "New", "type": "popover"})
	waitFor(t, page, `document.getElementById("survey-`+survey["id"].(string)+`")`)
	var top int
	page.Evaluate(t, `document.getElementById("context").scrollTop`, &top)
	assert.Equal(t, 300, top)
}

// A page that updates while the user leaves it does not bring the user back.
func TestPageLetsPeopleGo(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	c.get(surveys).is(http.StatusOK)
	page := browsertest.Start(t).Open(t, srv.URL+"/?request=1", browsertest.View{})
	waitFor(t, page, `document.getElementById("live").textContent === "Live" && !document.getElementById("live").hidden`)

	// The response to the navigation arrives late, after a later update of the page.
	page.Evaluate(t, `(() => {
		const real = fetch;
		let first = true;
		window.fetch = (...all) => {
			const wait = first ? new Promise((done) => setTimeout(done, 300)) : Promise.resolve();
			first = false;
			return wait.then(() => real(...all));
		};
		document.getElementById("close").click();
		document.getElementById("pause").click();
		document.getElementById("pause").click();
		document.getElementById("tab-faults")?.click();
		return true;
	})()`, new(bool))
	page.WaitFor(t, "#tab-faults")
	page.Click(t, "#tab-faults")
	page.WaitFor(t, "#fault-times")
	var at string
	page.Evaluate(t, `location.search`, &at)
	assert.Equal(t, "?tab=faults", at)
	assert.Empty(t, page.Errors())
}

// One click turns a fault on, and another click shows its effect.
func TestPageClicks(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(pageFixtures)})
	page := browsertest.Start(t).Open(t, srv.URL+"/", browsertest.View{})
	waitFor(t, page, `document.getElementById("live").textContent === "Live" && !document.getElementById("live").hidden`)
	page.Click(t, "#tab-faults")
	page.Click(t, `button[value="503"]`)
	waitFor(t, page, `document.getElementById("preset-notice").textContent === "Switched on."`)
	waitFor(t, page, `document.querySelector("#faults li").textContent.includes("no hit yet")`)

	c := call(t, srv)
	c.get(surveys).is(http.StatusServiceUnavailable)
	c.get(surveys).is(http.StatusOK)
	page.Click(t, "#request-1 a")
	page.WaitFor(t, "#detail pre")
	assert.Contains(t, page.Text(t, "#detail"), `{"to":1,"status":503}`)
	var at string
	page.Evaluate(t, `location.search + " " + document.activeElement.id`, &at)
	assert.Equal(t, "?tab=faults&request=1 detail-title", at)
	page.Click(t, "#close")

	// A paused page does not change. After the pause, it shows everything that it missed.
	page.Click(t, "#pause")
	c.get(apps).is(http.StatusOK)
	page.Click(t, "#pause")
	page.Click(t, "#journal-title")
	page.WaitFor(t, "#request-3")
	page.Click(t, "#tab-clock")
	page.Click(t, `button[value="24h"]`)
	waitFor(t, page, `document.getElementById("clock").textContent.includes("2026-01-03 03:04:05.678 UTC, stopped")`)
	assert.Equal(t, "1 fault · clock stopped at 2026-01-03 03:04", page.Text(t, "#now"))
	assert.Empty(t, page.Errors())
}

// However many requests arrive, the page shows only the newest.
func TestPageIsBounded(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	page := browsertest.Start(t).Open(t, srv.URL+"/", browsertest.View{})
	page.WaitFor(t, "#pause")

	// The first batch exceeds the page. The other batches are added to it.
	sent := 0
	for _, last := range []int{300, 380, 460} {
		for ; sent < last; sent++ {
			send(srv.Server, http.MethodGet, apps, "")
		}
		page.WaitFor(t, fmt.Sprintf("#request-%d", last))
	}
	var rows int
	page.Evaluate(t, `document.getElementById("rows").children.length`, &rows)
	assert.Equal(t, 100, rows)
	assert.Equal(t, "460 requests", page.Text(t, "#total"))
}

// hostileText ends every context into which it may be inserted, unless it is escaped.
const hostileText = `"'></script></textarea></title><script>window.hit=1</script><img src=x onerror="window.hit=2">{{.}}`

// hostileFixtures returns fixtures with hostileText in every text field.
func hostileFixtures(t *testing.T) string {
	t.Helper()
	quoted, err := json.Marshal(hostileText)
	require.NoError(t, err)
	return strings.ReplaceAll(`{
	  "organizations": [{"id": "`+testserver.DefaultOrganizationID+`", "name": $}],
	  "projects": [{"id": 1, "organization_id": "`+testserver.DefaultOrganizationID+`", "name": $}],
	  "api_keys": [{"key": "phx_test"}],
	  "feature_flags": [{"id": 1, "project_id": 1, "key": "beta", "name": $}],
	  "surveys": [{"project_id": 1, "id": "`+npsID+`", "name": $, "description": $, "type": "popover", "linked_flag_id": 1,
	    "appearance": {"thankYouMessageHeader": $}, "conditions": {"url": $}, "questions": [
	      {"id": $, "type": $, "question": $, "description": $, "display": $, "scale": $, "choices": [$], "branching": {"type": $, "responseValues": {$: $}}},
	      {"type": "single_choice", "question": $, "choices": [$], "branching": {"type": "response_based", "responseValues": {"0": "end"}}},
	      {}]}],
	  "pipeline_import_apps": [{"organization_id": "`+testserver.DefaultOrganizationID+`", "id": 7, "name": $, "description": $, "url": $, "icon": $, "tag": $}]
	}`, "$", string(quoted))
}

// The page escapes hostile text everywhere: no script runs, and nothing violates the policy.
func TestPageHostileText(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(hostileFixtures(t))})
	browser := browsertest.Start(t)
	name, err := json.Marshal(hostileText)
	require.NoError(t, err)
	c := call(t, srv).undocumentedAnswers()
	c.post(surveys+"?q="+url.QueryEscape(hostileText), `{"name":`+string(name)+`,"type":"popover","description":`+string(name)+`}`)
	srv.SetFaults(testserver.Fault{Path: "/" + hostileText, Status: 500, Body: hostileText})

	//nolint:paralleltest // a browser keeps few connections to one server
	for _, address := range []string{
		"/", "/?survey=" + npsID, "/?app=7", "/?request=1", "/?search=" + url.QueryEscape(hostileText),
		"/?survey=" + url.QueryEscape(hostileText), "/?world=" + url.QueryEscape(hostileText), "/?q=" + url.QueryEscape(hostileText) + "&status=%22", "/?tab=faults", "/?tab=apps", "/?request=1&q=" + url.QueryEscape(hostileText),
	} {
		t.Run(address, func(t *testing.T) {
			page := browser.Open(t, srv.URL+address, browsertest.View{})
			waitFor(t, page, `document.getElementById("live").textContent !== ""`)
			srv.PatchSurvey(npsID, testserver.Object{"description": hostileText + address})

			var hit bool
			page.Evaluate(t, `new Promise((done) => setTimeout(() => done("hit" in window || document.querySelector("img") !== null), 600))`, &hit)
			assert.False(t, hit)
			for _, complaint := range page.Errors() {
				assert.Contains(t, complaint, "404") // the page of a missing object
			}
		})
	}
}

// On a narrow screen, a request covers the list and keeps the focus.
func TestPageCoversTheList(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	call(t, srv).get(surveys).is(http.StatusOK)
	page := browsertest.Start(t).Open(t, srv.URL+"/", browsertest.View{Width: 320, Height: 600})
	page.WaitFor(t, "#live.following")
	page.Click(t, "#request-1 a")
	page.WaitFor(t, "#detail-title")
	var box []float64
	page.Evaluate(t, `(() => { const box = document.getElementById("context").getBoundingClientRect(); return [box.top, box.left, box.width, box.height]; })()`, &box)
	assert.Equal(t, []float64{0, 0, 320, 600}, box)

	for range 25 {
		page.Press(t, kb.Tab)
		var inside bool
		page.Evaluate(t, `document.activeElement === document.body || document.activeElement.closest("#detail") !== null`, &inside)
		require.True(t, inside)
	}
	page.Evaluate(t, `document.getElementById("close").focus() === undefined`, new(bool))
	page.Press(t, kb.Escape)
	waitFor(t, page, `document.getElementById("detail") === null && document.activeElement.closest("#request-1")`)
}

// Names and paths of any length never make the page wider than the screen, and never break a status, number, or time.
func TestPageFits(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	long := strings.Repeat("Averylongnamewithoutspaces", 10)
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(strings.ReplaceAll(hostileFixtures(t), `"name": "`, `"name": "`+long)), Worlds: true})
	_, err := srv.Server.World(long[:100])
	require.NoError(t, err)
	c := call(t, srv).undocumentedAnswers()
	srv.SetFaults(testserver.Fault{Operation: "surveys_list", Status: 503, Body: long}, testserver.Fault{DelayMS: 1})
	c.get(surveys).is(http.StatusServiceUnavailable)
	c.get("/" + long + "?" + long).is(http.StatusNotFound)
	c.get(apps).is(http.StatusOK)

	//nolint:paralleltest // a browser keeps few connections to one server
	for _, view := range []browsertest.View{{}, {Width: 800, Height: 600}, {Width: 360, Height: 800}} {
		for _, address := range []string{"/", "/?survey=" + npsID + "&request=2", "/?app=7&request=1", "/?world=" + long} {
			t.Run(fmt.Sprintf("%s %d", address, view.Width), func(t *testing.T) {
				page := browser.Open(t, srv.URL+address, view)
				waitFor(t, page, `document.getElementById("live").textContent !== ""`)
				var broken []string
				page.Evaluate(t, `[...document.querySelectorAll(".status, .fault, .number, #rows time, th, .code")].filter((element) => {
					const range = document.createRange();
					range.selectNodeContents(element);
					return new Set([...range.getClientRects()].map((rect) => rect.top)).size > 1;
				}).map((element) => element.outerHTML)`, &broken)
				assert.Empty(t, broken)

				var wide bool
				page.Evaluate(t, `document.documentElement.scrollWidth > innerWidth`, &wide)
				assert.False(t, wide, "the page is wider than the screen")
			})
		}
	}
}

// The accessibility checker finds no violation on any page, in light and dark mode, on a narrow screen, and
// with invisible names.
func TestPageIsAccessible(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(branchingFixtures), Worlds: true})
	c := call(t, srv).undocumentedAnswers()
	c.with("Authorization", "Bearer phx_test_one").get(surveys).is(http.StatusOK)
	c.get(surveys).is(http.StatusOK)
	srv.SetFaults(testserver.Fault{Status: 503, To: 1}, testserver.Fault{Operation: "surveys_list", HTML: true, From: 3})
	c.get(surveys).is(http.StatusServiceUnavailable)
	c.post(surveys, `{"name":"","type":"popover"}`).is(http.StatusBadRequest)
	srv.SetClock(time.Date(2026, 3, 11, 12, 0, 0, 0, time.UTC))
	c.get(surveys).is(http.StatusOK)
	blank := srv.CreateSurvey(testserver.Object{"name": "\u2028", "type": "popover"})["id"].(string)
	app := srv.CreateApp(testserver.Object{"name": "\u200b"})["id"]

	//nolint:paralleltest // a browser keeps few connections to one server
	for _, view := range []browsertest.View{{}, {Dark: true}, {Width: 320, Height: 800}} {
		browser := browsertest.Start(t)
		for i, address := range []string{
			"/", "/?survey=" + npsID, "/?survey=" + blank, "/?request=3", "/?request=4&errors=1", "/?tab=apps", "/?app=7", fmt.Sprint("/?app=", app),
			"/?tab=faults", "/?tab=clock", "/?tab=report", "/?request=99", "/?world=gone", "/?q=nothing", "/?before=2",
		} {
			if testing.Short() && view != (browsertest.View{}) && i%3 > 0 {
				continue // make test-random checks all of them
			}
			t.Run(fmt.Sprintf("%s %+v", address, view), func(t *testing.T) {
				page := browser.Open(t, srv.URL+address, view)
				page.Evaluate(t, `document.querySelectorAll("details").forEach((details) => { details.open = true; }) === undefined`, new(bool))
				assert.Empty(t, page.Violations(t))

				var wide bool
				page.Evaluate(t, `document.documentElement.scrollWidth > innerWidth`, &wide)
				assert.False(t, wide, "the page is wider than the screen")
			})
		}
	}
}

// notices matches the messages of the page's forms, by the ID of the element.
var notices = regexp.MustCompile(`<div id="([a-z]*-?notice)"[^>]*><p([^>]*)>([^<]*)</p>`)

// The result of a form is shown next to the form, and nowhere else. A URL cannot add text.
func TestPageNoticesStandBesideTheirForm(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	for _, sent := range []struct {
		path, form, text string
		values           url.Values
	}{
		{"faults", "preset", "Switched on.", url.Values{"preset": {"503"}}},
		{"faults", "preset", "unknown preset &#34;x&#34;", url.Values{"preset": {"x"}}},
		{"faults", "rule", "Switched on.", url.Values{"rule": {`{"status":500}`}}},
		{"faults", "rule", "the rule is not valid JSON", url.Values{"rule": {"x"}}},
		{"faults", "rules", "Switched off.", url.Values{"remove": {"1"}}},
		{"faults", "rules", "No fault is active.", url.Values{"remove": {"all"}}},
		{"clock", "clock", "The clock is stopped.", url.Values{"set": {"1h"}}},
		{"clock", "clock", "the clock needs a date and a time", url.Values{"set": {"time"}}},
		{"reset", "store", "The store was reset. The journal and the faults are unchanged.", nil},
		{"journal", "journal", "The journal is empty.", nil},
	} {
		values := url.Values{"form": {sent.form}}
		maps.Copy(values, sent.values)
		status, page := postPage(t, srv, sent.path, values)
		problem := ""
		if status != http.StatusOK {
			problem = ` class="problem"`
		}
		found := notices.FindAllStringSubmatch(page, -1)
		require.Len(t, found, 1, "%v: %s", sent, page)
		assert.Equal(t, []string{sent.form + "-notice", problem, sent.text}, found[0][1:])
	}

	_, page := getPage(t, srv.URL+"/?done=Send+me+your+key&form=rule")
	assert.NotContains(t, page, "Send me your key")
	for field, tab := range map[string]string{"rule": "faults", "time": "clock"} {
		_, page = getPage(t, srv.URL+"/?tab="+tab)
		assert.Regexp(t, `id="`+field+`"[^>]* aria-describedby="[a-z]+-notice"`, page)
	}
}

// After a mistake in a rule, the error is visible to the person who sent the rule.
func TestPageShowsErrorsInSight(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(pageFixtures)})
	page := browsertest.Start(t).Open(t, srv.URL+"/?tab=faults", browsertest.View{})
	page.WaitFor(t, "#live.following")
	page.Evaluate(t, `document.querySelector("details:has(#rule)").open = true`, new(bool))
	page.Evaluate(t, `document.getElementById("rule").value = '{"stat": 1}'; true`, new(bool))
	page.Click(t, "details:has(#rule) button")
	waitFor(t, page, `document.querySelector("#rule-notice .problem") !== null`)

	var sight bool
	page.Evaluate(t, `(() => { const box = document.querySelector("#rule-notice").getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; })()`, &sight)
	assert.True(t, sight)
	var invalid string
	page.Evaluate(t, `document.getElementById("rule").getAttribute("aria-invalid") + document.getElementById("rule").value`, &invalid)
	assert.Equal(t, `true{"stat": 1}`, invalid)
}

// The page of a world that does not exist contains neither a store nor a form that changes one.
func TestPageOfNoWorld(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(pageFixtures), Worlds: true})
	srv.PatchSurvey(npsID, testserver.Object{"name": "Changed"})

	for _, world := range []string{"gone", "a b", "<i>"} {
		status, page := getPage(t, srv.URL+"/?world="+url.QueryEscape(world))
		assert.Equal(t, http.StatusNotFound, status)
		for _, part := range []string{`method="post"`, "Changed", "POSTHOG_API_KEY", `id="rows"`} {
			assert.NotContains(t, page, part)
		}
		for _, path := range []string{"reset", "journal", "faults", "clock"} {
			status, page = postPage(t, srv, path, url.Values{"world": {world}, "preset": {"503"}, "set": {"1h"}})
			assert.Equal(t, http.StatusNotFound, status)
			assert.NotContains(t, page, `method="post"`)
		}
	}
	assert.Equal(t, "Changed", srv.Survey(npsID)["name"])
	assert.Empty(t, srv.Server.Worlds())
	assert.Empty(t, srv.Server.Faults())
}

// An open page shows new worlds and their requests, and shows when its own world disappears or returns.
func TestPageFollowsWorlds(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Worlds: true})
	page := browsertest.Start(t).Open(t, srv.URL+"/", browsertest.View{})
	page.WaitFor(t, "#live.following")
	alpha := call(t, srv).with("Authorization", "Bearer phx_test_alpha")
	for _, text := range []string{"alpha (1 request)", "alpha (2 requests)"} {
		alpha.get(surveys).is(http.StatusOK)
		waitFor(t, page, fmt.Sprintf("document.getElementById('world')?.textContent.includes(%q)", text))
	}

	page = browsertest.Start(t).Open(t, srv.URL+"/?world=beta", browsertest.View{})
	page.WaitFor(t, "#gone")
	page.WaitFor(t, "#live.following")
	for range 2 {
		call(t, srv).with("Authorization", "Bearer phx_test_beta").get(surveys).is(http.StatusOK)
		page.WaitFor(t, "#request-1")
		require.True(t, srv.Server.DropWorld("beta"))
		page.WaitFor(t, "#gone")
		assert.Equal(t, "Live", page.Text(t, "#live"))
	}
	for _, complaint := range page.Errors() {
		assert.Contains(t, complaint, "404") // the page of a missing world
	}
}

// The page replaces invisible names with words, so that links and headings have a name.
func TestPageNamesBlanks(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	for _, blank := range []string{" ", "\u2028", "\u200b"} {
		survey := srv.CreateSurvey(testserver.Object{"name": blank, "type": "popover", "questions": []any{map[string]any{"type": "open", "question": blank}}})
		app := srv.CreateApp(testserver.Object{"name": blank})
		_, page := getPage(t, srv.URL+"/")
		assert.Regexp(t, `id="survey-`+survey["id"].(string)+`"[^>]*>\(without a name\)</a>`, page)
		_, page = getPage(t, srv.URL+"/?survey="+survey["id"].(string))
		assert.Contains(t, page, "<title>(without a name) · ")
		assert.Regexp(t, `<h2 id="survey-title"[^>]*>\(without a name\)`, page)
		assert.Contains(t, page, "(without text)")
		_, page = getPage(t, fmt.Sprint(srv.URL, "/?app=", app["id"]))
		assert.Regexp(t, `<h2 id="app-title"[^>]*>\(without a name\)`, page)
	}
}

// The count on the page includes requests that the journal has dropped.
func TestPageCountsAllRequests(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	for range 20_050 {
		send(srv.Server, http.MethodGet, "/nowhere", "")
	}
	_, page := getPage(t, srv.URL+"/")
	assert.Contains(t, page, ">20,050 requests, the newest 20,000 are kept<")
	srv.ResetJournal()
	call(t, srv).get(surveys).is(http.StatusOK)
	_, page = getPage(t, srv.URL+"/")
	assert.Contains(t, page, ">1 request<")
}

// The status of an ended survey is completed, as in configurations and in the provider.
func TestPageSaysCompleted(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(pageFixtures)})
	srv.PatchSurvey(npsID, testserver.Object{"end_date": "2026-02-01T00:00:00Z"})
	for _, query := range []string{"", "?survey=" + npsID} {
		_, page := getPage(t, srv.URL+"/"+query)
		assert.Contains(t, page, `<span class="status completed">completed</span>`)
		assert.NotContains(t, page, ">complete<")
	}
}

// Values that follow a change made elsewhere: the title of a renamed survey, and the time in the field next
// to the clock, unless the user has typed another time.
func TestPageTitleAndTimeFollow(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(pageFixtures)})
	browser := browsertest.Start(t)
	page := browser.Open(t, srv.URL+"/?survey="+npsID, browsertest.View{})
	page.WaitFor(t, "#live.following")
	srv.PatchSurvey(npsID, testserver.Object{"name": "Renamed"})
	waitFor(t, page, `document.title.startsWith("Renamed ·")`)

	page = browser.Open(t, srv.URL+"/?tab=clock", browsertest.View{})
	page.WaitFor(t, "#live.following")
	page.Click(t, `button[value="1h"]`)
	waitFor(t, page, `document.getElementById("time").value === "2026-01-02T04:04:05"`)
	page.Click(t, `button[value="time"]`)
	waitFor(t, page, `document.getElementById("clock").textContent.includes("2026-01-02 04:04:05.000")`)
	page.Evaluate(t, `document.getElementById("time").value = "2026-05-06T07:08:09"; true`, new(bool))
	srv.SetClock(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))
	waitFor(t, page, `document.getElementById("clock").textContent.includes("2027-01-01")`)
	page.Click(t, `button[value="time"]`)
	waitFor(t, page, `document.getElementById("clock").textContent.includes("2026-05-06 07:08:09.000")`)
}
