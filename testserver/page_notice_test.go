package testserver_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// notices matches what the page says of its forms, by the id of the element.
var notices = regexp.MustCompile(`<div id="([a-z]*-?notice)"[^>]*><p([^>]*)>([^<]*)</p>`)

// What came of a form stands beside it, and nowhere else; an address brings in no words.
func TestPageNoticesStandBesideTheirForm(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	for _, sent := range []struct {
		path, form, text string
		values           url.Values
	}{
		{"faults", "preset", "Switched on.", url.Values{"preset": {"503"}}},
		{"faults", "preset", "there is no common fault &#34;x&#34;", url.Values{"preset": {"x"}}},
		{"faults", "rule", "Switched on.", url.Values{"rule": {`{"status":500}`}}},
		{"faults", "rule", "the rule is not valid JSON", url.Values{"rule": {"x"}}},
		{"faults", "rules", "Switched off.", url.Values{"remove": {"1"}}},
		{"faults", "rules", "No fault is switched on.", url.Values{"remove": {"all"}}},
		{"clock", "clock", "The clock is stopped.", url.Values{"set": {"1h"}}},
		{"clock", "clock", "the clock needs a date and a time", url.Values{"set": {"time"}}},
		{"reset", "store", "The store is as at the start. Journal and faults stay.", nil},
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

// With a mistake in the rule, what is wrong is in sight of the person who sent it.
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

// For a world that does not exist there is neither a store nor a form that acts on one.
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

// An open page learns of worlds: of new ones, of their requests, and that its own is gone or
// there again.
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
		assert.Contains(t, complaint, "404") // the page of a world that is gone
	}
}

// Names of blanks have words in their place, so that their links and headings have a name.
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

// The page counts the requests that the journal has dropped, too.
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

// A survey that ended is completed, as configurations and the provider say.
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

// What follows a change elsewhere: the title of a renamed survey, and the time in the field
// beside the clock, unless a person has typed another one.
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
