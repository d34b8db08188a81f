package flow_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// mermaidScript renders flowcharts one after the other, and returns what each shows: an error, or the text of its boxes
// and arrows, the elements in its labels, and the color of its boxes.
const mermaidScript = `(async (drawings) => {
  mermaid.initialize({ startOnLoad: false, securityLevel: "strict" })
  const container = document.createElement("div"), found = []
  document.body.append(container)
  const lines = (label) => [...label.querySelectorAll("br")].reduce((l, br) => (br.replaceWith("\n"), l), label).textContent.replace(/[\u200b\ufeff]/g, "")
  for (const [n, drawing] of drawings.entries()) {
    try {
      container.innerHTML = (await mermaid.render("drawing" + n, drawing)).svg
      const boxes = [...container.querySelectorAll("g.node")], labels = [...container.querySelectorAll("g.edgeLabel")].filter((l) => !l.querySelector("g.edgeLabel"))
      const elements = new Set([...boxes, ...labels].flatMap((e) => [...e.querySelectorAll("*")].map((e) => e.localName)))
      found.push({
        elements: [...elements].sort(), fills: [...new Set(boxes.map((b) => getComputedStyle(b.querySelector("rect, path, polygon")).fill))],
        boxes: boxes.map((b) => lines(b.querySelector(".nodeLabel"))), labels: labels.map((l) => lines(l)).filter((l) => l),
      })
    } catch (e) {
      found.push({ error: String(e), drawing })
    }
  }
  return found
})`

// mermaidDrawing is what a browser shows of a flowchart.
type mermaidDrawing struct {
	Error, Drawing                 string
	Elements, Fills, Boxes, Labels []string
}

// drawMermaid renders flowcharts in a browser with Mermaid, which code hosts use.
func drawMermaid(t *testing.T, drawings []string) []mermaidDrawing {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(file, []byte("<!doctype html>"), 0o600))
	page := browsertest.Start(t).Open(t, "file://"+file, browsertest.View{})
	page.LoadMermaid(t)

	// A step of a page has a time limit, so each step draws only some of them.
	var all []mermaidDrawing
	for some := range slices.Chunk(drawings, 10) {
		input, err := json.Marshal(some)
		require.NoError(t, err)
		var found []mermaidDrawing
		page.Evaluate(t, mermaidScript+"("+string(input)+")", &found)
		require.Len(t, found, len(some))
		all = append(all, found...)
	}
	return all
}

// asking returns a survey whose question and choice have the given text.
func asking(text string) []flow.Question {
	return []flow.Question{
		{Kind: flow.SingleChoice, Choices: 2, ChoiceTexts: []string{text, "No"}, Text: text, Branching: flow.ResponseBased, Responses: map[string]int{"0": flow.End}},
		{Kind: flow.Open, Text: "Why?"},
	}
}

// visible returns what a reader sees of text on one line, without zero-width characters.
func visible(text string) string {
	printed := escape.Printable(strings.Join(strings.Fields(text), " "))
	return strings.Join(strings.Fields(strings.NewReplacer("\u200b", "", "\ufeff", "").Replace(printed)), " ")
}

// For any text, the flowchart contains the survey's boxes and arrows and shows the text.
func TestMermaidInABrowser(t *testing.T) {
	t.Parallel()
	texts := []string{
		"harmless", "", `$$$x$$$`, `\\n\n`, "%%{init: {}}%%", "%%{init: {'theme': 'forest'}}%%", "%% comment", "---\ntitle: x\n---", "1. one", "- two", "# three", "graph TD", "end", "click q0 \"x\"",
		"`x`", "**bold** and _italic_", "$$x^2$$", ":::class", "@{ shape: circle }", "#9829;", "fa:fa-car", "fab:fa-x", "a:b", "a\\nb", "<br>", "&lt;b&gt;", "subgraph", "]", ")", "|", "~~~", "-->",
		"https://evil.example", "www.evil.example", "a@evil.example", "^1^", "=x", "{{x}}", "1) one", "+ plus", "> quote", "=== ===", "***", "____",
	}
	random := 120
	if testing.Short() {
		random = 20 // make test-random draws all of them
	}
	for i := range random {
		texts = append(texts, property.Text().Example(i))
	}
	drawings := make([]string, len(texts))
	for i, text := range texts {
		drawings[i] = flow.Mermaid(asking(text))
	}

	all := drawMermaid(t, drawings)
	for i, found := range all {
		shown := visible(texts[i])
		require.Empty(t, found.Error, "%q\n%s", texts[i], found.Drawing)
		if assert.Len(t, found.Boxes, 3, "%q", texts[i]) {
			assert.Equal(t, fmt.Sprintf("0 · single choice\n%s", shown), strings.TrimRight(found.Boxes[0], " "), "%q\n%s", texts[i], drawings[i])
		}
		want := []string{shown, "No"}
		if shown == "" {
			want = want[1:]
		}
		assert.ElementsMatch(t, want, found.Labels, "%q", texts[i])
		assert.Subset(t, []string{"br", "div", "foreignObject", "g", "p", "path", "rect", "span"}, found.Elements, "%q", texts[i])
		assert.Equal(t, all[0].Fills, found.Fills, "%q", texts[i])
	}
}
