package client

import (
	"html"
	"regexp"
	"strings"
)

var titleTag = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// htmlPage reports whether a body is an HTML page, and returns its title when it has one.
func htmlPage(contentType, body string) (title string, isPage bool) {
	start := strings.ToLower(strings.TrimSpace(body[:min(len(body), 512)]))
	if !strings.Contains(contentType, "html") && !strings.HasPrefix(start, "<!doctype html") && !strings.HasPrefix(start, "<html") {
		return "", false
	}

	if m := titleTag.FindStringSubmatch(body[:min(len(body), 64<<10)]); m != nil {
		title = html.UnescapeString(m[1])
	}
	return title, true
}
