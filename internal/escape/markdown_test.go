package escape

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	nethtml "golang.org/x/net/html"
	"pgregory.net/rapid"
)

// render renders Markdown as code hosts do, raw HTML included, and parses the page.
func render(t require.TestingT, markdown string) *nethtml.Node {
	var page bytes.Buffer
	host := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	require.NoError(t, host.Convert([]byte(markdown), &page))
	root, err := nethtml.Parse(&page)
	require.NoError(t, err)
	return root
}

// texts are the texts of the elements of a name.
func texts(root *nethtml.Node, name string) []string {
	var found []string
	for node := range root.Descendants() {
		if node.Type != nethtml.ElementNode || node.Data != name {
			continue
		}
		text := ""
		for inner := range node.Descendants() {
			if inner.Type == nethtml.TextNode {
				text += inner.Data
			}
		}
		found = append(found, text)
	}
	return found
}

// elements are the names of all elements but those that every page has, with comments.
func elements(root *nethtml.Node) []string {
	var names []string
	for node := range root.Descendants() {
		switch {
		case node.Type == nethtml.CommentNode:
			names = append(names, "comment")
		case node.Type == nethtml.ElementNode && node.Data != "html" && node.Data != "head" && node.Data != "body":
			names = append(names, node.Data)
		}
	}
	return names
}

// reference is what code hosts turn into a mention or a link in the text of a page.
var reference = regexp.MustCompile(`(?i)@[a-z0-9]|#\d|\bgh-\d|##[\[a-z]`)

// shown is a text as a reader sees it: without the invisible separators, and with blanks
// as browsers show them.
func shown(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, joiner, "")), " ")
}

// Whatever a text is made of, it is read as it stands, and a row stays a row.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := hostile().Draw(t, "a"), hostile().Draw(t, "b")

		page := render(t, "| x | y |\n|---|---|\n| "+Markdown(a)+" | "+Markdown(b)+" |\n")
		assert.Equal(t, []string{"table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td"}, elements(page))
		cells := texts(page, "td")
		require.Len(t, cells, 2)
		assert.Equal(t, shown(Line(a)), shown(cells[0]))
		assert.Equal(t, shown(Line(b)), shown(cells[1]))
		assert.NotRegexp(t, reference, cells[0])

		alone := render(t, Markdown(a)+"\n")
		if shown(Line(a)) != "" {
			assert.Equal(t, []string{"p"}, elements(alone), "a paragraph of its own: %q", Markdown(a))
			assert.Equal(t, shown(Line(a)), shown(texts(alone, "p")[0]))
		}
		heading := render(t, "### "+Markdown(a)+" end\n")
		assert.Equal(t, []string{"h3"}, elements(heading))
	})
}

func TestMarkdownCode(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := hostile().Draw(t, "text")

		page := render(t, "x "+MarkdownCode(text)+" y\n")
		assert.Equal(t, []string{"p", "code"}, elements(page))
		assert.Equal(t, shown(Line(text)), shown(texts(page, "code")[0]))

		row := render(t, "| x | y |\n|---|---|\n| "+MarkdownCell(text)+" | b |\n")
		assert.Equal(t, []string{"table", "thead", "tr", "th", "th", "tbody", "tr", "td", "code", "td"}, elements(row))
		assert.Equal(t, shown(Line(text)), shown(texts(row, "code")[0]))
	})
}

func TestMarkdownBlock(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := hostile().Draw(t, "text")
		page := render(t, "a\n\n"+MarkdownBlock("diff", text)+"\nb\n")
		assert.Equal(t, []string{"p", "pre", "code", "p"}, elements(page))
		assert.Equal(t, shown(TerminalLines(text)), shown(texts(page, "code")[0]))
	})
}

func TestHTML(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := hostile().Draw(t, "text")
		page := render(t, "<details><summary>"+HTML(text)+"</summary>\n\ninside\n\n</details>\n")
		assert.Equal(t, []string{"details", "summary", "p"}, elements(page))
		assert.Equal(t, shown(Line(text)), shown(texts(page, "summary")[0]))
		assert.NotRegexp(t, reference, texts(page, "summary")[0])
	})
}
