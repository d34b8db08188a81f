package testserver_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// href matches the addresses of the links and files of a page.
var href = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

// Every link of the page leads somewhere, of the server itself and of a world.
func TestPageLinks(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(pageFixtures), Worlds: true})
	c := call(t, srv)
	c.get(surveys).is(http.StatusOK)
	c.with("Authorization", "Bearer phx_test_alpha").get(surveys).is(http.StatusOK)

	for _, page := range []string{"", "?world=alpha", "?world=alpha&survey=" + npsID, "?world=alpha&app=7", "?world=alpha&request=1"} {
		_, text := getPage(t, srv.URL+"/"+page)
		links := map[string]bool{}
		for _, found := range href.FindAllStringSubmatch(text, -1) {
			links[html.UnescapeString(found[1])] = true
		}
		require.Contains(t, links, "_testserver/page/page.css", page)

		for link := range links {
			if strings.Contains(link, "://") || strings.HasPrefix(link, "#") || strings.HasPrefix(link, "data:") {
				continue
			}
			status, body := getPage(t, srv.URL+"/"+link)
			require.Equal(t, http.StatusOK, status, "%s: %s: %s", page, link, body)
		}
	}
}
