package testserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// waitFor waits until an expression of JavaScript is true in the page.
func waitFor(t *testing.T, page *browsertest.Page, expression string) {
	t.Helper()
	var ok bool
	page.Evaluate(t, `(async () => {
		for (const end = Date.now() + 30000; Date.now() < end; await new Promise((next) => setTimeout(next, 20))) {
			if (`+expression+`) { return true; }
		}
		return false;
	})()`, &ok)
	require.True(t, ok, expression)
}

// complaints are what went wrong in the page. That it stops to follow one address for
// another is no fault.
func complaints(page *browsertest.Page) []string {
	return slices.DeleteFunc(page.Errors(), func(text string) bool { return strings.Contains(text, "net::ERR_ABORTED") })
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
	assert.Equal(t, "1", page.Text(t, "#total"))

	srv.PatchSurvey(npsID, testserver.Object{"name": "Renamed by somebody"})
	waitFor(t, page, `document.getElementById("survey-`+npsID+`").textContent === "Renamed by somebody"`)
	srv.SetFaults(testserver.Fault{Status: 500})
	waitFor(t, page, `document.getElementById("faults").textContent.includes('{"status":500}')`)
	srv.ResetJournal()
	waitFor(t, page, `document.getElementById("rows").rows.length === 0`)

	var loadedOnce bool
	page.Evaluate(t, `window.loadedOnce === true`, &loadedOnce)
	assert.True(t, loadedOnce)
	assert.Empty(t, complaints(page))
}

// A click switches a fault on, and another one shows what it did.
func TestPageClicks(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(pageFixtures)})
	page := browsertest.Start(t).Open(t, srv.URL+"/", browsertest.View{})
	waitFor(t, page, `document.getElementById("live").textContent === "Live" && !document.getElementById("live").hidden`)
	page.Click(t, `button[value="503"]`)
	waitFor(t, page, `document.getElementById("notice").textContent === "Switched on."`)

	c := call(t, srv)
	c.get(surveys).is(http.StatusServiceUnavailable)
	c.get(surveys).is(http.StatusOK)
	page.Click(t, "#request-1 a")
	page.WaitFor(t, "#detail pre")
	assert.Contains(t, page.Text(t, "#detail"), `{"to":1,"status":503}`)
	var at string
	page.Evaluate(t, `location.search + " " + document.activeElement.id`, &at)
	assert.Equal(t, "?request=1 detail-title", at)

	// Paused, nothing moves; then everything that was missed is there.
	page.Click(t, "#pause")
	c.get(apps).is(http.StatusOK)
	page.Click(t, "#pause")
	page.WaitFor(t, "#request-3")
	page.Click(t, `button[value="24h"]`)
	waitFor(t, page, `document.getElementById("clock").textContent.includes("Stopped at 2026-01-03 03:04:05.678")`)
	assert.Empty(t, complaints(page))
}

// However many requests come, the page holds the newest alone.
func TestPageIsBounded(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	page := browsertest.Start(t).Open(t, srv.URL+"/", browsertest.View{})
	page.WaitFor(t, "#pause")

	// The first batch is more than the page shows, the others are added to what is there.
	for _, last := range []int{300, 380, 460} {
		for len(srv.Journal()) < last {
			send(srv.Server, http.MethodGet, apps, "")
		}
		page.WaitFor(t, fmt.Sprintf("#request-%d", last))
	}
	var rows int
	page.Evaluate(t, `document.getElementById("rows").rows.length`, &rows)
	assert.Equal(t, 100, rows)
	assert.Equal(t, "460", page.Text(t, "#total"))
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
		"/?survey=" + url.QueryEscape(hostileText), "/?world=" + url.QueryEscape(hostileText), "/?operation=" + url.QueryEscape(hostileText) + "&status=%22",
	} {
		t.Run(address, func(t *testing.T) {
			page := browser.Open(t, srv.URL+address, browsertest.View{})
			waitFor(t, page, `document.getElementById("live").textContent !== ""`)
			srv.PatchSurvey(npsID, testserver.Object{"description": hostileText + address})

			var hit bool
			page.Evaluate(t, `new Promise((done) => setTimeout(() => done("hit" in window || document.querySelector("img") !== null), 600))`, &hit)
			assert.False(t, hit)
			for _, complaint := range complaints(page) {
				assert.Contains(t, complaint, "404") // a page that is about nothing
			}
		})
	}
}

// The accessibility checker finds nothing, light, dark and on a narrow screen.
func TestPageIsAccessible(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(pageFixtures), Worlds: true})
	c := call(t, srv).undocumentedAnswers()
	c.with("Authorization", "Bearer phx_test_one").get(surveys).is(http.StatusOK)
	c.get(surveys).is(http.StatusOK)
	srv.SetFaults(testserver.Fault{Status: 503, To: 1})
	c.get(surveys).is(http.StatusServiceUnavailable)

	//nolint:paralleltest // a browser keeps few connections to one server
	for _, view := range []browsertest.View{{}, {Dark: true}, {Width: 360, Height: 800}} {
		for _, address := range []string{"/", "/?survey=" + npsID + "&request=1", "/?app=7", "/?request=99"} {
			t.Run(fmt.Sprintf("%s %+v", address, view), func(t *testing.T) {
				page := browser.Open(t, srv.URL+address, view)
				assert.Empty(t, page.Violations(t))

				var wide bool
				page.Evaluate(t, `document.documentElement.scrollWidth > innerWidth`, &wide)
				assert.False(t, wide, "the page is wider than the screen")
			})
		}
	}
}
