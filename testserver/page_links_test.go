package testserver_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// href matches the addresses of the links and files of a page.
var href = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

// Every link of every page leads somewhere: of the server itself, of a world, of one that does
// not exist, and of a page that shows an error.
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

// linksOf are the addresses of the links and files of a page at an address.
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

// Without JavaScript the page that refuses a form has styles, and its forms work; with it, its
// addresses are those of the page.
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

// formAction matches where the forms of a page lead that change something.
var formAction = regexp.MustCompile(`<form method="post" action="([^"]*)"`)

// The report of a world, or of all, is among the sections.
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
