package property

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	goldhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
)

// Page is a rendered page of a code host.
type Page struct{ root *html.Node }

// Render renders Markdown as code hosts do, including raw HTML.
func Render(t require.TestingT, markdown string) Page {
	var page bytes.Buffer
	host := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(goldhtml.WithUnsafe()))
	require.NoError(t, host.Convert([]byte(markdown), &page))
	root, err := html.Parse(&page)
	require.NoError(t, err)
	return Page{root}
}

// Elements returns the names of all elements and comments, except elements that every page contains.
func (p Page) Elements() []string {
	var names []string
	for node := range p.root.Descendants() {
		switch {
		case node.Type == html.CommentNode:
			names = append(names, "comment")
		case node.Type == html.ElementNode && node.Data != "html" && node.Data != "head" && node.Data != "body":
			names = append(names, node.Data)
		}
	}
	return names
}

// Texts returns the texts of all elements with a name.
func (p Page) Texts(name string) []string {
	var texts []string
	for node := range p.root.Descendants() {
		if node.Type != html.ElementNode || node.Data != name {
			continue
		}
		var text strings.Builder
		for inner := range node.Descendants() {
			if inner.Type == html.TextNode {
				text.WriteString(inner.Data)
			}
		}
		texts = append(texts, text.String())
	}
	return texts
}

// reference matches text that code hosts turn into a mention or a link.
var reference = regexp.MustCompile(`(?i)@[a-z0-9]|#\d|\bgh-\d|##[\[a-z]`)

// References returns the mentions and issue links that a code host finds in the page, in all text except code.
func (p Page) References() []string {
	var references []string
	for node := range p.root.Descendants() {
		if node.Type == html.TextNode && !isCode(node) {
			references = append(references, reference.FindAllString(node.Data, -1)...)
		}
	}
	return references
}

func isCode(node *html.Node) bool {
	for above := range node.Ancestors() {
		if above.Data == "code" {
			return true
		}
	}
	return false
}
