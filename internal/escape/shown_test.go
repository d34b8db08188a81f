package escape

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// shown returns text as a reader sees it: without invisible separators, and with white space as browsers show it.
func shown(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, joiner, "")), " ")
}

// Any text is shown literally, and a row remains one row.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := property.Text().Draw(t, "a"), property.Text().Draw(t, "b")

		page := property.Render(t, "| x | y |\n|---|---|\n| "+Markdown(a)+" | "+Markdown(b)+" |\n")
		assert.Equal(t, []string{"table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td"}, page.Elements())
		cells := page.Texts("td")
		require.Len(t, cells, 2)
		assert.Equal(t, shown(Line(a)), shown(cells[0]))
		assert.Equal(t, shown(Line(b)), shown(cells[1]))
		assert.Empty(t, page.References())

		alone := property.Render(t, Markdown(a)+"\n")
		if shown(Line(a)) != "" {
			assert.Equal(t, []string{"p"}, alone.Elements(), "the text must be one paragraph: %q", Markdown(a))
			assert.Equal(t, shown(Line(a)), shown(alone.Texts("p")[0]))
		}
		heading := property.Render(t, "### "+Markdown(a)+" end\n")
		assert.Equal(t, []string{"h3"}, heading.Elements())
	})
}

func TestMarkdownCode(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := property.Text().Draw(t, "text")

		page := property.Render(t, "x "+MarkdownCode(text)+" y\n")
		assert.Equal(t, []string{"p", "code"}, page.Elements())
		assert.Equal(t, shown(Line(text)), shown(page.Texts("code")[0]))

		row := property.Render(t, "| x | y |\n|---|---|\n| "+MarkdownCell(text)+" | b |\n")
		assert.Equal(t, []string{"table", "thead", "tr", "th", "th", "tbody", "tr", "td", "code", "td"}, row.Elements())
		assert.Equal(t, shown(Line(text)), shown(row.Texts("code")[0]))
	})
}

func TestMarkdownBlock(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := property.Text().Draw(t, "text")
		page := property.Render(t, "a\n\n"+MarkdownBlock("diff", text)+"\nb\n")
		assert.Equal(t, []string{"p", "pre", "code", "p"}, page.Elements())
		assert.Equal(t, shown(TerminalLines(text)), shown(page.Texts("code")[0]))
	})
}

func TestHTML(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := property.Text().Draw(t, "text")
		page := property.Render(t, "<details><summary>"+HTML(text)+"</summary>\n\ninside\n\n</details>\n")
		assert.Equal(t, []string{"details", "summary", "p"}, page.Elements())
		assert.Equal(t, shown(Line(text)), shown(page.Texts("summary")[0]))
		assert.Empty(t, page.References())
	})
}

func TestTerminal(t *testing.T) {
	t.Parallel()
	assert.Equal(t, `NPS \x1b[31m\u009b31m \u202e a\nb`, Terminal("NPS \x1b[31m\u009b31m \u202e a\nb"))
	assert.Equal(t, "Wie geht’s? 😀", Terminal("Wie geht’s? 😀"))

	rapid.Check(t, func(t *rapid.T) {
		text := property.Text().Draw(t, "text")
		line := Terminal(text)
		assert.False(t, strings.ContainsFunc(line, isHidden), "%q", line)
		assert.Empty(t, property.Commands(line))

		lines := TerminalLines(text)
		assert.Equal(t, strings.Count(text, "\n"), strings.Count(lines, "\n"))
		assert.Empty(t, property.Commands(lines))
		assert.False(t, strings.ContainsFunc(lines, func(r rune) bool { return isHidden(r) && r != '\n' && r != '\t' }), "%q", lines)
	})
}

func TestXML(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := property.Text().Draw(t, "text")
		var read struct {
			Title string `xml:"title,attr"`
			Text  string `xml:",chardata"`
		}
		document := `<text title="` + XML(text) + `">` + XML(text) + "</text>"
		require.NoError(t, xml.Unmarshal([]byte(document), &read), document)
		assert.Equal(t, Printable(text), read.Text)
		assert.Equal(t, shown(Printable(text)), shown(read.Title))
	})
}

func TestMermaid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		label := Mermaid(property.Text().Draw(t, "text"))
		assert.False(t, strings.ContainsAny(label, "\"<>&%`*_\\\n"), "%q", label)
		assert.NotRegexp(t, `#[^a-z0-9]`, label, "a number sign may occur only in an entity")
	})
	assert.Equal(t, "#37;#37;{init: {}}#37;#37;", Mermaid("%%{init: {}}%%"))
	assert.Equal(t, `$#8203;$#8203;x #92;#8203;n fa:#8203;fa-car`, Mermaid(`$$x \n fa:fa-car`))
}

func TestJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.ToValidUTF8(property.Text().Draw(t, "text"), "?")
		encoded, err := json.Marshal(map[string]string{text: text})
		require.NoError(t, err)
		printed := JSON(encoded)
		assert.Empty(t, property.Commands(string(printed)))
		assert.False(t, bytes.ContainsFunc(printed, isHidden), "%q", printed)

		var read map[string]string
		require.NoError(t, json.Unmarshal(printed, &read))
		assert.Equal(t, map[string]string{text: text}, read)
	})
}

func TestSARIF(t *testing.T) {
	t.Parallel()
	assert.Equal(t, `survey "\[x\](https://evil.example)": a b`, SARIF("survey \"[x](https://evil.example)\": a\nb"))
}

// The shell reads each word back unchanged. The test also checks the commands.
func TestShell(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "NPS", Shell("NPS"))
	assert.Equal(t, "''", Shell(""))
	assert.Equal(t, `'it'\''s; touch x'`, Shell("it's; touch x"))
	assert.Equal(t, `$'a\033[31m\012it\047s'`, Shell("a\x1b[31m\nit's"))

	var words []string
	var command strings.Builder
	command.WriteString("printf '%s\\0'")
	for i := range 300 {
		word := strings.ToValidUTF8(strings.ReplaceAll(property.Text().Example(i), "\x00", ""), "?")
		words = append(words, word)
		command.WriteString(" " + Shell(word))
	}
	assert.NotContains(t, command.String(), "\n")

	check := exec.Command("sh", "-n")
	check.Stdin = strings.NewReader(command.String())
	require.NoError(t, check.Run())
	bash, err := exec.LookPath("bash")
	require.NoError(t, err, "bash must print the text")
	output, err := exec.Command(bash, "-c", command.String()).Output() //nolint:gosec // the words are what is tested
	require.NoError(t, err)
	assert.Equal(t, words, strings.Split(strings.TrimSuffix(string(output), "\x00"), "\x00"))
}
