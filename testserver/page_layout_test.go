package testserver_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// On a narrow screen a request lies over the list, and the focus stays in it.
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

// Whatever the length of names and paths, nothing is wider than the screen, and no status,
// number or time is broken.
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

// The accessibility checker finds nothing on any page, light, dark and on a narrow screen, also
// where names can't be seen.
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
		for _, address := range []string{
			"/", "/?survey=" + npsID, "/?survey=" + blank, "/?request=3", "/?request=4&errors=1", "/?tab=apps", "/?app=7", fmt.Sprint("/?app=", app),
			"/?tab=faults", "/?tab=clock", "/?tab=report", "/?request=99", "/?world=gone", "/?q=nothing", "/?before=2",
		} {
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
