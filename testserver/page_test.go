package testserver_test

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// pageFixtures contain two surveys, one of which has branching, and an app.
const pageFixtures = `{
  "api_keys": [{"key": "phx_test"}],
  "feature_flags": [{"id": 1, "project_id": 1, "key": "beta", "name": "Beta"}],
  "surveys": [
    {"project_id": 1, "id": "0190d6a4-0000-7000-8000-000000000001", "name": "NPS", "type": "popover", "linked_flag_id": 1,
     "start_date": "2026-01-01T00:00:00Z", "questions": [
      {"id": "q1", "type": "rating", "display": "number", "scale": 10, "question": "How likely?",
       "branching": {"type": "response_based", "responseValues": {"promoters": "end", "detractors": 1}}},
      {"id": "q2", "type": "single_choice", "question": "Why?", "choices": ["Price", "Speed"]}]},
    {"project_id": 1, "id": "0190d6a4-0000-7000-8000-000000000002", "name": "Exit", "type": "widget"}
  ],
  "pipeline_import_apps": [{"organization_id": "` + testserver.DefaultOrganizationID + `", "id": 7, "name": "GeoIP", "plugin_type": "local"}],
  "responses": [{"survey_id": "0190d6a4-0000-7000-8000-000000000001", "count": 12}]
}`

const npsID = "0190d6a4-0000-7000-8000-000000000001"

// get loads the page at a URL.
func getPage(t *testing.T, address string) (int, string) {
	t.Helper()
	resp, err := http.Get(address)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode, string(body)
}

// postPage sends a form of the page, and returns the resulting page.
func postPage(t *testing.T, srv *testserver.Instance, path string, form url.Values) (int, string) {
	t.Helper()
	resp, err := http.PostForm(srv.URL+"/_testserver/page/"+path, form)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode, string(body)
}

// A browser without JavaScript shows everything.
func TestPageReads(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(pageFixtures)})
	c := call(t, srv)
	c.post(surveys, `{"name":"Made over the API","type":"popover"}`).is(http.StatusCreated)
	c.get(surveys + "nothing/").is(http.StatusNotFound)

	status, page := getPage(t, srv.URL+"/")
	assert.Equal(t, http.StatusOK, status)
	for _, text := range []string{
		">NPS</a>", ">Exit</a>", ">Made over the API</a>", ">running</span>", ">12</td>",
		">/api/projects/1/surveys/</a>", ">surveys_create</span>", `title="Created">201</span>`, `title="Not Found">404</span>`, "2 requests",
		"export POSTHOG_BASE_URL=" + srv.URL + "\nexport POSTHOG_API_KEY=phx_test\nexport POSTHOG_PROJECT_ID=1\n",
		`href="_testserver/requests"`,
	} {
		assert.Contains(t, page, text)
	}

	_, page = getPage(t, srv.URL+"/?survey="+npsID)
	for _, text := range []string{"<svg", "How likely?", "<li>Price</li>", "rating, number, scale 10", "1, beta", "<dt>responses</dt><dd>12</dd>"} {
		assert.Contains(t, page, text)
	}
	_, page = getPage(t, srv.URL+"/?app=7")
	assert.Contains(t, page, "<dt>plugin_type</dt><dd>local</dd>")
	_, page = getPage(t, srv.URL+"/?request=1")
	assert.Contains(t, page, "Authorization: Bearer [redacted]")
	assert.Contains(t, page, `&#34;name&#34;: &#34;Made over the API&#34;`)
	_, page = getPage(t, srv.URL+"/?tab=apps")
	assert.Contains(t, page, ">GeoIP</a>")
	_, page = getPage(t, srv.URL+"/?tab=clock")
	assert.Contains(t, page, "<time>2026-01-02 03:04:05</time> UTC, <span class=\"faint\">running</span>")

	_, page = getPage(t, srv.URL+"/?search=ni")
	assert.NotContains(t, page, ">NPS</a>")
	_, page = getPage(t, srv.URL+"/?status=running")
	assert.Contains(t, page, ">NPS</a>")
	assert.NotContains(t, page, ">Exit</a>")
	_, page = getPage(t, srv.URL+"/?q=surveys_create+2xx")
	assert.NotContains(t, page, `id="request-2"`)
	assert.Contains(t, page, `id="request-1"`)

	for _, missing := range []string{"survey=nothing", "app=8", "request=99", "request=x"} {
		status, page = getPage(t, srv.URL+"/?"+missing)
		assert.Equal(t, http.StatusNotFound, status, missing)
		assert.Contains(t, page, `class="problem"`, missing)
	}
	assert.Len(t, srv.Journal(), 2, "the journal must not contain requests for the page")
}

// Other origins cannot use the forms, and the policy allows no inline script or style.
func TestPageHeaders(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	resp, err := http.Get(srv.URL + "/")
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	policy := resp.Header.Get("Content-Security-Policy")
	assert.Contains(t, policy, "default-src 'none'; script-src 'self'; style-src 'self'")
	assert.Contains(t, policy, "frame-ancestors 'none'")
	assert.NotContains(t, policy, "unsafe")

	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+"/_testserver/page/reset", nil)
	require.NoError(t, err)
	req.Header.Set("Origin", "https://example.com")
	resp, err = http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, http.StatusForbidden, resp.StatusCode)

	for path, status := range map[string]int{"page.css": 200, "page.js": 200, "nothing": 404, "": 404, "%2e%2e/page.go": 404, "..%2fpage.go": 404, "%2fetc%2fpasswd": 404, "..%5cpage.go": 404} {
		got, body := getPage(t, srv.URL+"/_testserver/page/"+path)
		assert.Equal(t, status, got, "%s: %s", path, body)
	}
}

// The user turns faults on and off, one by one.
func TestPageFaults(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).undocumentedAnswers()

	_, page := postPage(t, srv, "faults", url.Values{"preset": {"503"}, "operation": {"surveys_list"}, "times": {"1"}})
	assert.Contains(t, page, "Switched on.")
	_, page = postPage(t, srv, "faults", url.Values{"rule": {`{"path":"` + apps + `","status":418}`}, "back": {"tab=faults"}})
	assert.Contains(t, page, "{&#34;operation&#34;:&#34;surveys_list&#34;,&#34;to&#34;:1,&#34;status&#34;:503}")
	c.get(surveys).is(http.StatusServiceUnavailable)
	c.get(surveys).is(http.StatusOK)
	c.get(apps).is(http.StatusTeapot)

	status, page := postPage(t, srv, "faults", url.Values{"rule": {`{"statos":1}`}})
	assert.Equal(t, http.StatusBadRequest, status)
	assert.Contains(t, page, "statos")
	for _, form := range []url.Values{{"rule": {"no JSON"}}, {"preset": {"none"}}, {"remove": {"x"}}, {"remove": {"99"}}} {
		status, _ = postPage(t, srv, "faults", form)
		assert.Equal(t, http.StatusBadRequest, status, form)
	}

	postPage(t, srv, "faults", url.Values{"remove": {"2"}})
	c.get(apps).is(http.StatusOK)
	assert.Len(t, srv.Server.Faults(), 1)
	postPage(t, srv, "faults", url.Values{"remove": {"all"}})
	assert.Empty(t, srv.Server.Faults())
}

// The server accepts the rule of each preset.
func TestPagePresets(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	_, page := getPage(t, srv.URL+"/?tab=faults")
	presets := 0
	for part := range strings.SplitSeq(page, `name="preset" value="`) {
		name, _, found := strings.Cut(part, `"`)
		if presets++; !found || presets == 1 {
			continue
		}
		status, page := postPage(t, srv, "faults", url.Values{"preset": {name}, "times": {"1"}})
		assert.Equal(t, http.StatusOK, status, "%s: %s", name, page)
	}
	assert.Greater(t, presets, 8)
	assert.Len(t, srv.Server.Faults(), presets-1)
}

// The user moves the clock, resets the store, and empties the journal.
func TestPageControls(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(pageFixtures)})
	c := call(t, srv)
	c.delete(surveys + npsID + "/").is(http.StatusNoContent)

	_, page := postPage(t, srv, "clock", url.Values{"set": {"24h"}, "back": {"tab=clock"}})
	assert.Contains(t, page, "<time>2026-01-03 03:04:05.678</time> UTC, <span class=\"faint\">stopped</span>")
	_, page = postPage(t, srv, "clock", url.Values{"set": {"time"}, "time": {"2027-05-06T07:08"}, "back": {"tab=clock"}})
	assert.Contains(t, page, "<time>2027-05-06 07:08:00.000</time> UTC, <span class=\"faint\">stopped</span>")
	_, page = postPage(t, srv, "clock", url.Values{"set": {"run"}, "back": {"tab=clock"}})
	assert.Contains(t, page, ">running</span>")
	_, page = postPage(t, srv, "clock", url.Values{"set": {"jobs"}, "form": {"clock"}, "back": {"tab=clock"}})
	assert.Contains(t, page, "The periodic jobs have run.")
	for _, form := range []url.Values{{"set": {"time"}, "time": {"soon"}}, {"set": {"later"}}} {
		status, _ := postPage(t, srv, "clock", form)
		assert.Equal(t, http.StatusBadRequest, status, form)
	}

	assert.Nil(t, srv.Survey(npsID))
	postPage(t, srv, "reset", nil)
	assert.NotNil(t, srv.Survey(npsID))
	assert.Len(t, srv.Journal(), 1)
	postPage(t, srv, "journal", nil)
	assert.Empty(t, srv.Journal())
}

// Each world has its own page. Opening the page does not create the world.
func TestPageWorlds(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Worlds: true})
	call(t, srv).with("Authorization", "Bearer phx_test_one").post(surveys, `{"name":"Of one","type":"popover"}`).is(http.StatusCreated)

	_, page := getPage(t, srv.URL+"/")
	assert.Contains(t, page, `<option value="one">one (1 request)</option>`)
	assert.NotContains(t, page, "Of one")
	_, page = getPage(t, srv.URL+"/?world=one")
	assert.Contains(t, page, "Of one")

	postPage(t, srv, "reset", url.Values{"world": {"one"}})
	_, page = getPage(t, srv.URL+"/?world=one")
	assert.NotContains(t, page, ">Of one<")
	status, page := getPage(t, srv.URL+"/?world=two")
	assert.Equal(t, http.StatusNotFound, status)
	assert.Contains(t, page, "There is no world two")
	assert.Len(t, srv.Server.Worlds(), 1)
}

// branchingFixtures contain a survey with everything that its page can show.
const branchingFixtures = `{
  "api_keys": [{"key": "phx_test"}],
  "surveys": [{"project_id": 1, "id": "` + npsID + `", "name": "NPS", "type": "popover", "appearance": {"position": "left"}, "questions": [
    {"id": "q1", "type": "rating", "display": "number", "scale": 10, "question": "How likely?", "lowerBoundLabel": "Never", "upperBoundLabel": "Surely",
     "branching": {"type": "response_based", "responseValues": {"promoters": "end", "detractors": 2}}, "translations": {"de": {"question": "Wie wahrscheinlich?"}, "fr": 7}},
    {"id": "q2", "type": "single_choice", "question": "Why?", "choices": ["Price", "Speed"], "buttonText": "Go on", "optional": true,
     "branching": {"type": "response_based", "responseValues": {"0": 0, "1": "end"}}},
    {"id": "q3", "type": "link", "question": "\u200b", "link": "https://example.com/x", "branching": {"type": "end"}}]}],
  "pipeline_import_apps": [{"organization_id": "` + testserver.DefaultOrganizationID + `", "id": 7, "name": "GeoIP", "plugin_type": "local", "description": "Adds places"}]
}`

// The page of a survey shows where answers lead, and all texts that respondents read.
func TestPageOfSurvey(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(branchingFixtures), Profile: testserver.Hosted})
	_, page := getPage(t, srv.URL+"/?survey="+npsID)
	for _, text := range []string{
		">detractors</text>", ">Speed</text>", ">skipped</text>",
		`<span>Never</span> <span class="faint">to</span> <span>Surely</span>`,
		"Button: Go on", "<code>https://example.com/x</code>",
		`<dt>appearance</dt><dd><details><summary>1 field</summary>`,
	} {
		assert.Contains(t, page, text)
	}
	assert.NotContains(t, page, "<details open")
}

// The page of an app shows each field once, because its JSON is folded.
func TestPageOfApp(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(branchingFixtures)})
	_, page := getPage(t, srv.URL+"/?app=7")
	assert.Contains(t, page, "<dt>description</dt><dd>Adds places</dd>")
	assert.NotContains(t, page, "<details open")
	assert.Regexp(t, `<details><summary>As it is stored</summary>`, page)
}

// Hovering over a question highlights its box in the flowchart, and hovering over a box highlights the question.
func TestPageMarksQuestions(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(branchingFixtures)})
	page := browsertest.Start(t).Open(t, srv.URL+"/?survey="+npsID, browsertest.View{})
	page.WaitFor(t, "#live.following")
	for _, hovered := range []string{`.questions > li`, `.flow g`} {
		for place := range 3 {
			var marked string
			page.Evaluate(t, fmt.Sprintf(`(() => {
				document.querySelector('%s[data-question="%d"]').dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
				return [...document.querySelectorAll(".marked")].map((element) => element.localName + element.dataset.question).join();
			})()`, hovered, place), &marked)
			assert.Equal(t, fmt.Sprintf("g%d,li%d", place, place), marked)
		}
	}
}

// The page of a survey shows who saw it, who gave which answer, and why others do not see it.
func TestPageOfPeople(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	address := srv.URL + "/?survey=" + shownToApps
	_, page := getPage(t, address)
	assert.Contains(t, page, "No app has shown it yet.")

	c := app(t, srv)
	c.capture(ofSurvey("survey shown", "anon", ""))
	c.capture(captured("$identify", "ann", `,"$anon_distinct_id":"anon"`))
	c.capture(ofSurvey("survey sent", "ann", `,"$survey_response_q":"Because","$survey_response":"Because","$survey_response_gone":["a","b"],"$survey_completed":false`))
	c.capture(ofSurvey("survey dismissed", "bob", ""))
	c.capture(captured("$set", "cy", `,"$set":{"plan":"pro"}`))
	_, page = getPage(t, address)
	for _, text := range []string{
		"Shown 1 time to 1 person, dismissed 1 time, 1 response", "<strong>ann</strong>, anon", "<strong>bob</strong>", "<strong>cy</strong>",
		"answered in part <time", "dismissed it <time", "saw it <time",
		"<dt>Why?</dt><dd>Because</dd>", "<dt>($survey_response_gone, not a question of the survey)</dt><dd>a, b</dd>",
	} {
		assert.Contains(t, page, text)
	}
	assert.Less(t, strings.Index(page, "<strong>bob"), strings.Index(page, "<strong>ann"), "the person with the newest event must be first")
	assert.Equal(t, 1, strings.Count(page, "Because"))
	assert.Contains(t, page, "Offered now.")

	call(t, srv).patch(surveys+shownToApps+"/", `{"conditions":{"url":"/pricing"}}`)
	_, page = getPage(t, address)
	assert.Contains(t, page, "Offered now, and shown only when:")
	assert.Contains(t, html.UnescapeString(page), `<li>the URL contains "/pricing"</li>`)

	call(t, srv).patch(surveys+shownToApps+"/", `{"archived":true}`)
	_, page = getPage(t, address)
	assert.Contains(t, page, "Not offered now:")
}

// The page escapes answers, distinct IDs, and event names.
func TestPageOfHostilePeople(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	texts := []string{
		"<img src=x onerror=alert(1)>", "</section><script>alert(1)</script>", `"onmouseover="alert(1)`, "{{.JSON}}", "&lt;", "\u202e", "\x00", "\xff",
		"javascript:alert(1)", "]]>", "\r\nevent: reload\r\n", "😀", strings.Repeat("x", 5000),
	}
	for _, text := range texts {
		quoted := quoted(text)
		app(t, srv).post("/e/", `{"api_key":"phc_test","event":"survey sent","distinct_id":`+quoted+`,"properties":{"$survey_id":"`+shownToApps+`","$survey_response_q":`+quoted+`}}`)
	}
	_, page := getPage(t, srv.URL+"/?survey="+shownToApps)
	assert.NotContains(t, page, "<img src=x")
	assert.Contains(t, page, html.EscapeString("<img src=x onerror=alert(1)>"))
	assert.NotContains(t, page, strings.Repeat("x", 2000), "a long answer must be shortened")
}

// An open page shows new events of persons.
func TestPageFollowsPeople(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	page := browsertest.Start(t).Open(t, srv.URL+"/?survey="+shownToApps, browsertest.View{})
	page.WaitFor(t, "#live.following")
	app(t, srv).capture(ofSurvey("survey sent", "ann", `,"$survey_response_q":"Because"`))
	page.WaitFor(t, ".people dd")
}

// href matches the URLs of links and files on a page.
var href = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

// Every link of every page works: on the server's own page, in a world, in a missing world, and on a page with an
// error.
func TestPageLinks(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(pageFixtures), Worlds: true})
	c := call(t, srv)
	c.get(surveys).is(http.StatusOK)
	c.get(surveys + "nothing/").is(http.StatusNotFound)
	c.with("Authorization", "Bearer phx_test_alpha").get(surveys).is(http.StatusOK)
	c.with("Authorization", "Bearer phx_test_beta").post(surveys, `{}`).is(http.StatusBadRequest)
	c.with("Authorization", "Bearer phx_test_beta").post(surveys, `{"name":"S","type":"api","colour":"red"}`).is(http.StatusCreated)
	srv.SetFaults(testserver.Fault{Path: "/nowhere", Status: 500})

	seen := map[string]bool{}
	var follow func(text, base string, depth int)
	follow = func(text, base string, depth int) {
		links := linksOf(t, text, base)
		require.Contains(t, links, srv.URL+"/_testserver/page/page.css")
		for _, link := range links {
			if seen[link] {
				continue
			}
			seen[link] = true
			status, body := getPage(t, link)
			require.Equal(t, http.StatusOK, status, "%s: %s", link, body)
			if depth > 0 && strings.HasPrefix(link, srv.URL+"/?") {
				follow(body, link, depth-1)
			}
		}
	}

	for _, query := range []string{"", "?world=alpha", "?world=beta", "?world=gone", "?survey=" + npsID, "?world=beta&survey=" + npsID, "?world=alpha&app=7", "?world=beta&request=1", "?survey=nothing", "?request=99", "?tab=report", "?tab=report&world=beta"} {
		_, text := getPage(t, srv.URL+"/"+query)
		follow(text, srv.URL+"/"+query, 1)
	}
	for _, world := range []string{"", "alpha", "gone"} {
		_, text := postPage(t, srv, "faults", url.Values{"form": {"rule"}, "rule": {`{"stat": 1}`}, "world": {world}})
		follow(text, srv.URL+"/_testserver/page/faults", 1)
	}
	require.Greater(t, len(seen), 40)
}

// linksOf returns the URLs of links and files on a page. base is the URL of the page.
func linksOf(t *testing.T, text, base string) []string {
	t.Helper()
	at, err := url.Parse(base)
	require.NoError(t, err)
	var links []string
	for _, found := range href.FindAllStringSubmatch(text, -1) {
		link := html.UnescapeString(found[1])
		if strings.HasPrefix(link, "#") || strings.HasPrefix(link, "data:") {
			continue
		}
		to, err := at.Parse(link)
		require.NoError(t, err)
		if to.Host == at.Host {
			links = append(links, to.String())
		}
	}
	return links
}

// Without JavaScript, the page that refuses a form has its style, and its forms work. With JavaScript, its
// links are those of the normal page.
func TestPageErrorWithoutJavaScript(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Worlds: true})
	call(t, srv).with("Authorization", "Bearer phx_test_alpha").get(surveys).is(http.StatusOK)
	at := srv.URL + "/_testserver/page/faults"

	for _, world := range []string{"", "alpha"} {
		status, text := postPage(t, srv, "faults", url.Values{"form": {"rule"}, "rule": {`{"stat": 1}`}, "world": {world}})
		require.Equal(t, http.StatusBadRequest, status)
		require.Regexp(t, `<div id="rule-notice"[^>]*><p class="problem">[^<]*stat`, text)
		require.Contains(t, text, `{&#34;stat&#34;: 1}`)
		require.Contains(t, linksOf(t, text, at), srv.URL+"/_testserver/page/page.css")
		for _, action := range formAction.FindAllStringSubmatch(text, -1) {
			require.Regexp(t, `^\.\./\.\./_testserver/page/(faults|clock|reset|journal)$`, action[1])
		}

		_, text = postPage(t, srv, "faults", url.Values{"form": {"rule"}, "rule": {`{"stat": 1}`}, "world": {world}, "back": {""}})
		require.Contains(t, text, `href="_testserver/page/page.css"`)
	}
}

// formAction matches the URLs of forms that change something.
var formAction = regexp.MustCompile(`<form method="post" action="([^"]*)"`)

// The page has a section with the report of a world, or of all worlds.
func TestPageReport(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(answered), Worlds: true})
	c := call(t, srv)
	_, text := getPage(t, srv.URL+"/?tab=report")
	require.Contains(t, text, "no problems in no requests")

	c.patch(answeredPath, `{"questions":[],"<b>colour</b>":"red"}`).is(http.StatusOK)
	c.with("Authorization", "Bearer phx_test_alpha").post(surveys, `{"name":"S","type":"api","tone":1}`).is(http.StatusCreated)
	_, text = getPage(t, srv.URL+"/?tab=report")
	for _, part := range []string{"3 problems in 2 requests", "&lt;b&gt;colour&lt;/b&gt;", "first by request 1 of world alpha"} {
		require.Contains(t, text, part)
	}
	_, text = getPage(t, srv.URL+"/?tab=report&world=alpha")
	require.Contains(t, text, "1 problem in 1 request")
}
