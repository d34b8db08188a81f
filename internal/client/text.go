package client

import (
	"html"
	"regexp"
	"strings"
	"unicode"
)

// cleaned makes text of the service fit for a line of a log: no control characters
// or other invisible ones, no runs of blanks, at most so many characters.
func cleaned(text string, most int) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
	for i := range text {
		if most--; most < 0 {
			return text[:i] + "…"
		}
	}
	return text
}

var titleTag = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// pageTitle tells whether a body is an HTML page, and its title when it has one.
func pageTitle(contentType, body string) (title string, page bool) {
	start := strings.ToLower(strings.TrimSpace(body[:min(len(body), 512)]))
	if !strings.Contains(contentType, "html") && !strings.HasPrefix(start, "<!doctype html") && !strings.HasPrefix(start, "<html") {
		return "", false
	}
	if m := titleTag.FindStringSubmatch(body[:min(len(body), 64<<10)]); m != nil {
		title = html.UnescapeString(m[1])
	}
	return title, true
}
