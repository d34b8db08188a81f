package testserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// waitFor waits until an expression of JavaScript is true in the page.
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

// What happens on the server is on the page without a reload.
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

// A request that has no response yet is not shown as one that was dropped, and leaves the
// filter when it is answered.
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

	// One that is open gets its response.
	page.Click(t, "#request-2 a")
	page.WaitFor(t, "#detail-title")
	assert.Contains(t, page.Text(t, "#detail-title"), "waiting")
	close(answer)
	<-done
	waitFor(t, page, `document.getElementById("detail-title").textContent.includes("200") && document.querySelector("#detail pre.body") !== null`)
	page.WaitFor(t, "#request-2.s2")
}

// By keyboard alone: filters do not lose the focus, and what is closed gives it back.
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

// A page that has lost its server shows it, and then what there is when it is back.
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

// What a person has scrolled and opened stays as it is when the page takes in changes.
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

// A page that renews itself while somebody leaves it does not take them back.
func TestPageLetsPeopleGo(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	c.get(surveys).is(http.StatusOK)
	page := browsertest.Start(t).Open(t, srv.URL+"/?request=1", browsertest.View{})
	waitFor(t, page, `document.getElementById("live").textContent === "Live" && !document.getElementById("live").hidden`)

	// Where one goes comes late, and later than what is shown again meanwhile.
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

// A click switches a fault on, and another one shows what it did.
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

	// Paused, nothing moves; then everything that was missed is there.
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

// However many requests come, the page holds the newest alone.
func TestPageIsBounded(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	page := browsertest.Start(t).Open(t, srv.URL+"/", browsertest.View{})
	page.WaitFor(t, "#pause")

	// The first batch is more than the page shows, the others are added to what is there.
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

// hostileText ends every context that it may stand in, if it is not escaped.
const hostileText = `"'></script></textarea></title><script>window.hit=1</script><img src=x onerror="window.hit=2">{{.}}`

// hostileFixtures have it in every field that holds text.
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

// Hostile text is escaped wherever it is shown: nothing runs, and nothing violates the policy.
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
				assert.Contains(t, complaint, "404") // a page that is about nothing
			}
		})
	}
}
