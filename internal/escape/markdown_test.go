package escape

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/fixedseed"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/hostile"
)

// shown is a text as a reader sees it: without the invisible separators, and with blanks
// as browsers show them.
func shown(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, joiner, "")), " ")
}

// Whatever a text is made of, it is read as it stands, and a row stays a row.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := hostile.Text().Draw(t, "a"), hostile.Text().Draw(t, "b")

		page := hostile.Render(t, "| x | y |\n|---|---|\n| "+Markdown(a)+" | "+Markdown(b)+" |\n")
		assert.Equal(t, []string{"table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td"}, page.Elements())
		cells := page.Texts("td")
		require.Len(t, cells, 2)
		assert.Equal(t, shown(Line(a)), shown(cells[0]))
		assert.Equal(t, shown(Line(b)), shown(cells[1]))
		assert.Empty(t, page.References())

		alone := hostile.Render(t, Markdown(a)+"\n")
		if shown(Line(a)) != "" {
			assert.Equal(t, []string{"p"}, alone.Elements(), "a paragraph of its own: %q", Markdown(a))
			assert.Equal(t, shown(Line(a)), shown(alone.Texts("p")[0]))
		}
		heading := hostile.Render(t, "### "+Markdown(a)+" end\n")
		assert.Equal(t, []string{"h3"}, heading.Elements())
	})
}

func TestMarkdownCode(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := hostile.Text().Draw(t, "text")

		page := hostile.Render(t, "x "+MarkdownCode(text)+" y\n")
		assert.Equal(t, []string{"p", "code"}, page.Elements())
		assert.Equal(t, shown(Line(text)), shown(page.Texts("code")[0]))

		row := hostile.Render(t, "| x | y |\n|---|---|\n| "+MarkdownCell(text)+" | b |\n")
		assert.Equal(t, []string{"table", "thead", "tr", "th", "th", "tbody", "tr", "td", "code", "td"}, row.Elements())
		assert.Equal(t, shown(Line(text)), shown(row.Texts("code")[0]))
	})
}

func TestMarkdownBlock(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := hostile.Text().Draw(t, "text")
		page := hostile.Render(t, "a\n\n"+MarkdownBlock("diff", text)+"\nb\n")
		assert.Equal(t, []string{"p", "pre", "code", "p"}, page.Elements())
		assert.Equal(t, shown(TerminalLines(text)), shown(page.Texts("code")[0]))
	})
}

func TestHTML(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := hostile.Text().Draw(t, "text")
		page := hostile.Render(t, "<details><summary>"+HTML(text)+"</summary>\n\ninside\n\n</details>\n")
		assert.Equal(t, []string{"details", "summary", "p"}, page.Elements())
		assert.Equal(t, shown(Line(text)), shown(page.Texts("summary")[0]))
		assert.Empty(t, page.References())
	})
}
