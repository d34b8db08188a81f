// Package markup reduces HTML to the form that PostHog stores, so that texts that PostHog stores
// identically compare as equal. It must not be used to change requests to PostHog. Start reading at
// [Clean].
package markup

import (
	"html"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"github.com/zclconf/go-cty/cty"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// policy removes what PostHog removes from HTML: scripts and styles with their content, comments, and all tags except
// text tags.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("a", "abbr", "acronym", "area", "article", "aside", "b", "bdi", "bdo", "blockquote", "br",
		"caption", "center", "cite", "code", "col", "colgroup", "data", "dd", "del", "details", "dfn", "div", "dl", "dt",
		"em", "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "i", "img",
		"ins", "kbd", "li", "map", "mark", "nav", "ol", "p", "pre", "q", "rp", "rt", "rtc", "ruby", "s", "samp", "small",
		"span", "strike", "strong", "sub", "summary", "sup", "table", "tbody", "td", "th", "thead", "time", "tr", "tt",
		"u", "ul", "var", "wbr")
	p.AllowNoAttrs().OnElements("a", "img", "span")
	p.AllowAttrs("style", "lang", "title", "width", "height").Globally()
	p.AllowAttrs("href", "hreflang", "target").OnElements("a")
	p.AllowAttrs("src", "alt", "align").OnElements("img")
	p.AllowStandardURLs()
	return p
})

// Clean returns a text as PostHog stores it, in a canonical form: all tags are closed, entities and quotes
// are normalized, and the rel attribute that PostHog adds to links is removed.
func Clean(text string) string {
	body := &nethtml.Node{Type: nethtml.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := nethtml.ParseFragment(strings.NewReader(policy().Sanitize(text)), body)
	if err != nil {
		return text
	}

	var b strings.Builder
	for _, node := range nodes {
		if nethtml.Render(&b, node) != nil {
			return text
		}
	}
	return b.String()
}

// Canonical returns a text in a form in which equivalent texts are equal: clean, in Unicode NFC as in
// Terraform, and without entities and surrounding white space.
func Canonical(text string) string {
	if strings.ContainsAny(text, "<&") {
		text = html.UnescapeString(Clean(text))
	}
	return cty.NormalizeString(strings.TrimSpace(text))
}
