package testserver_test

import (
	"fmt"
	"net/http"
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

// shownRow matches the number of a row.
var shownRow = regexp.MustCompile(`<li id="request-(\d+)"`)

// numbersOf returns the numbers of the rows on a page, in their order.
func numbersOf(page string) []string {
	var numbers []string
	for _, row := range shownRow.FindAllStringSubmatch(page, -1) {
		numbers = append(numbers, row[1])
	}
	return numbers
}

// The user searches the journal by words in paths, operations, statuses, and bodies, and with the filter buttons.
func TestPageSearch(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).undocumentedAnswers()
	c.post(surveys, `{"name":"Needle in a body","type":"popover"}`).is(http.StatusCreated)
	c.post(surveys, `{"name":"","type":"popover"}`).is(http.StatusBadRequest)
	c.get(surveys + "?search=needle").is(http.StatusOK)
	srv.SetFaults(testserver.Fault{Operation: "pipeline_import_apps_list", HTML: true})
	c.get(apps).is(http.StatusOK)

	for query, want := range map[string][]string{
		"":                        {"4", "3", "2", "1"},
		"q=NEEDLE":                {"3", "1"},
		"q=needle+surveys_create": {"1"},
		"q=400":                   {"2"},
		"q=2xx":                   {"4", "3", "1"},
		"q=surveys_create":        {"2", "1"},
		"q=%234":                  {"4"},
		"q=\"attr\":\"name\"":     {"2"},
		"q=phx_test":              nil,
		"q=bearer":                nil,
		"errors=1":                {"2"},
		"faults=1":                {"4"},
		"writes=1":                {"2", "1"},
		"writes=1&errors=1":       {"2"},
		"before=3":                {"2", "1"},
		"before=3&errors=1":       {"2"},
		"before=x":                {"4", "3", "2", "1"},
		"before=1":                nil,
		"before=-5":               {"4", "3", "2", "1"},
		"before=99999999999999":   {"4", "3", "2", "1"},
	} {
		status, page := getPage(t, srv.URL+"/?"+query)
		assert.Equal(t, http.StatusOK, status)
		assert.Equal(t, want, numbersOf(page), query)
	}

	// Newer and older requests are those in the filtered list.
	_, page := getPage(t, srv.URL+"/?request=2&q=post")
	assert.Contains(t, page, `id="next" class="button" rel="next" href="?q=post&amp;request=1"`)
	assert.NotContains(t, page, `id="newer"`)
	_, page = getPage(t, srv.URL+"/")
	assert.Contains(t, page, `<span class="fault" title="{&#34;operation&#34;:&#34;pipeline_import_apps_list&#34;,&#34;html&#34;:true}">fault</span>`)
	assert.Contains(t, page, `<b>name</b>: This field may not be blank.`)
}

// A search does not find redacted text. Otherwise, it would reveal a secret bit by bit.
func TestPageSearchFindsNoSecret(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	const key = "phx_abcdefghijklmnopqrstuvwxyz0123456789"
	c := call(t, srv).with("Authorization", "Bearer "+key)
	c.post(surveys+"?personal_api_key="+key, `{"name":"`+key+`","personal_api_key":"`+key+`"}`)
	for _, part := range []string{key, key[:12], key[20:], "0123456789"} {
		_, page := getPage(t, srv.URL+"/?q="+part)
		assert.Empty(t, numbersOf(page), part)
	}
}

// A user can reach every request of a full journal, and the page never shows more than a hundred.
func TestPageOlder(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	for range 350 {
		send(srv.Server, http.MethodGet, "/nowhere", "")
	}
	older := regexp.MustCompile(`id="older"><a href="([^"]*)"`)
	seen := map[string]bool{}
	for _, filter := range []string{"", "?errors=1"} {
		pages := 0
		for address := "/" + filter; address != ""; pages++ {
			_, page := getPage(t, srv.URL+address)
			numbers := numbersOf(page)
			require.LessOrEqual(t, len(numbers), 100)
			for _, number := range numbers {
				require.False(t, seen[filter+number])
				seen[filter+number] = true
			}
			address = ""
			if next := older.FindStringSubmatch(page); next != nil {
				address = "/" + strings.ReplaceAll(next[1], "&amp;", "&")
			}
		}
		assert.Equal(t, 4, pages)
	}
	assert.Len(t, seen, 700)
}

// The command that repeats a request omits the API key.
func TestPageShowsCommand(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	call(t, srv).undocumentedAnswers().get("/nowhere?a=b%20c").is(http.StatusNotFound)

	_, page := getPage(t, srv.URL+"/?request=1")
	assert.Contains(t, page, `<pre id="curl" tabindex="0" role="group" aria-label="As curl">curl &#39;`+srv.URL+`/nowhere?a=b%20c&#39; -H &#34;Authorization: Bearer $POSTHOG_API_KEY&#34;</pre>`)
}

// A row shows the beginning of a long URL and a long rule, so that the page does not grow with them.
func TestPageCutsLongRows(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	long := strings.Repeat("0123456789", 6000)
	srv.SetFaults(testserver.Fault{Status: 500, Body: long})
	for range 100 {
		send(srv.Server, http.MethodGet, "/"+long+"?"+long, "")
	}
	_, page := getPage(t, srv.URL+"/")
	assert.Len(t, numbersOf(page), 100)
	assert.Less(t, len(page), 100*(10<<10))
}

// The list does not move while it is scrolled or has the focus. It shows how many requests are waiting.
func TestPageHolds(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	requests := func(n int) {
		for range n {
			send(srv.Server, http.MethodGet, "/nowhere", "")
		}
	}
	requests(60)
	page := browsertest.Start(t).Open(t, srv.URL+"/", browsertest.View{})
	page.WaitFor(t, "#live.following")

	page.Evaluate(t, `document.querySelector("#request-50 a").focus() === undefined`, new(bool))
	requests(37)
	waitFor(t, page, `document.getElementById("fresh").textContent === "37 new ↑" && document.getElementById("rows").firstElementChild.id === "request-60"`)
	requests(300)
	waitFor(t, page, `document.getElementById("fresh").textContent === "337 new ↑" && document.activeElement.closest("#request-50")`)
	page.Click(t, "#fresh")
	waitFor(t, page, `document.getElementById("rows").firstElementChild.id === "request-397" && document.getElementById("fresh").hidden`)
	var rows string
	page.Evaluate(t, `(() => { const all = [...document.getElementById("rows").children].map((row) => row.id); return all.length + " " + all.at(-1); })()`, &rows)
	assert.Equal(t, "100 request-298", rows)

	page.Evaluate(t, `(document.querySelector("#journal .list").scrollTop = 500, true)`, new(bool))
	requests(5)
	waitFor(t, page, `document.getElementById("fresh").textContent === "5 new ↑"`)
	page.Evaluate(t, `(document.querySelector("#journal .list").scrollTop = 0, true)`, new(bool))
	waitFor(t, page, `document.getElementById("rows").firstElementChild.id === "request-402"`)
	assert.Empty(t, page.Errors())
}

// With the keyboard only, in a full journal that grows by 50 requests a second, a user finds the one request
// that failed and its attribute.
func TestPageFindsTheFailure(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).undocumentedAnswers()
	c.get(surveys).is(http.StatusOK)
	for range 7_000 {
		send(srv.Server, http.MethodGet, surveys+"?limit=1", "")
	}
	c.post(surveys, `{"name":"","type":"popover"}`).is(http.StatusBadRequest)
	for range 13_500 {
		send(srv.Server, http.MethodGet, surveys+"?limit=1", "")
	}

	stop := make(chan struct{})
	defer close(stop)
	go func() {
		ticks := time.NewTicker(20 * time.Millisecond)
		defer ticks.Stop()
		for {
			select {
			case <-stop:
				return
			case <-ticks.C:
				send(srv.Server, http.MethodGet, surveys+"?limit=1", "")
			}
		}
	}()

	page := browsertest.Start(t).Open(t, srv.URL+"/", browsertest.View{})
	page.WaitFor(t, "#live.following")
	tab := func(selector string) {
		t.Helper()
		for range 40 {
			page.Press(t, kb.Tab)
			var there bool
			page.Evaluate(t, fmt.Sprintf("document.activeElement.matches(%q)", selector), &there)
			if there {
				return
			}
		}
		t.Fatalf("could not focus %s with the Tab key", selector)
	}

	page.Press(t, kb.Tab)
	page.Press(t, "\r") // skips to the journal
	tab("#errors")
	page.Press(t, " ")
	waitFor(t, page, `document.getElementById("rows")?.children.length === 1`)
	tab("#request-7002 a")
	assert.Contains(t, page.Text(t, "#request-7002"), "name: This field may not be blank.")
	page.Press(t, "\r")
	waitFor(t, page, `document.activeElement.id === "detail-title"`)
	assert.Equal(t, "name", page.Text(t, "#attr"))
	assert.Empty(t, page.Errors())
}
