package flow_test

import (
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
)

// nps is a survey that branches by response, goes back, and skips a question that is never shown.
func nps() []flow.Question {
	return []flow.Question{
		{Kind: flow.Rating, Scale: 10, Text: `How "likely" are you?`, Branching: flow.ResponseBased, Optional: true, Responses: map[string]int{"detractors": 1, "promoters": flow.End}},
		{Kind: flow.Open, Text: "Why_not?", Branching: flow.SpecificQuestion, Index: 0},
		{Kind: flow.SingleChoice, Choices: 2, ChoiceTexts: []string{"Yes", "No"}, Text: "Again?", Branching: flow.ResponseBased, Responses: map[string]int{"0": 0, "1": flow.End}},
	}
}

func TestMermaid(t *testing.T) {
	t.Parallel()

	assert.Equal(t, `flowchart TD
    q0["0 · rating<br/>How #quot;likely#quot; are you?"]
    q1["1 · open<br/>Why#95;not?"]
    q2["2 · single choice<br/>Again?"]
    q3(["end"])
    q0 -->|"detractors, passives, skipped"| q1
    q0 -->|"promoters"| q3
    q1 --> q0
    q2 -->|"Yes"| q0
    q2 -->|"No"| q3
    classDef unreachable stroke-dasharray: 4 4
    class q2 unreachable
`, flow.Mermaid(nps()))

	assert.Equal(t, "flowchart TD\n    q0([\"end\"])\n", flow.Mermaid(nil), "no questions")
}

func TestText(t *testing.T) {
	t.Parallel()

	assert.Equal(t, `  0 · rating: How "likely" are you?
      detractors, passives, skipped: 1
      promoters: end
  1 · open: Why_not?
      0
  2 · single choice: Again? (unreachable)
      Yes: 0
      No: end
`, flow.Text(nps()))
}

// Hostile text can't end a quoted label or an element.
func TestDrawingsEscapeText(t *testing.T) {
	t.Parallel()

	hostile := "\"]; click q0 \"x\" </text><script>alert(1)</script> \x00\x1b\u202e\xff -->"
	questions := []flow.Question{{
		Kind: flow.SingleChoice, Choices: 1, ChoiceTexts: []string{hostile}, Text: hostile,
		Branching: flow.ResponseBased, Responses: map[string]int{"0": flow.End},
	}}

	mermaid := flow.Mermaid(questions)
	assert.Equal(t, 4, strings.Count(mermaid, "\n"), "%s", mermaid)
	assert.NotContains(t, mermaid, "<script")

	svg := flow.SVG(hostile, questions)
	assert.NotContains(t, svg, "<script")
	requireXML(t, svg)
}

func requireXML(t *testing.T, document string) {
	t.Helper()

	decoder := xml.NewDecoder(strings.NewReader(document))
	for {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
	}
}

var (
	rectangles = regexp.MustCompile(`<rect class="box" x="([-\d.]+)" y="([-\d.]+)" width="([-\d.]+)" height="([-\d.]+)"`)
	polylines  = regexp.MustCompile(`<polyline points="([^"]*)"`)
	size       = regexp.MustCompile(`<svg [^>]* width="(\d+)" height="(\d+)"`)
)

type rectangle struct{ left, top, right, bottom float64 }

// For any branching, no arrow crosses a box, and nothing is outside the drawing. A survey without questions shows only
// its end, in the middle.
func TestSVGWithoutQuestions(t *testing.T) {
	t.Parallel()
	drawing := flow.SVG("Empty", nil)
	assert.Contains(t, drawing, ` viewBox="0 0 360 `)
	assert.Contains(t, drawing, `<rect class="box" x="132.0" y="20.0" width="96.0"`)
}

func TestSVGArrowsAvoidBoxes(t *testing.T) {
	t.Parallel()

	for seed := range uint64(500) {
		questions := drawn(rand.New(rand.NewPCG(seed, 3)))
		svg := flow.SVG("survey", questions)
		requireXML(t, svg)

		found := size.FindStringSubmatch(svg)
		width, height := number(t, found[1]), number(t, found[2])

		var boxes []rectangle
		for _, m := range rectangles.FindAllStringSubmatch(svg, -1) {
			x, y := number(t, m[1]), number(t, m[2])
			boxes = append(boxes, rectangle{x, y, x + number(t, m[3]), y + number(t, m[4])})
		}
		require.Len(t, boxes, len(questions)+1, "seed %d", seed)
		for i, box := range boxes {
			require.True(t, box.left >= 0 && box.right <= width && box.bottom <= height, "seed %d: box %d exceeds the image", seed, i)
			require.True(t, i == 0 || boxes[i-1].bottom < box.top, "seed %d: box %d overlaps the previous box", seed, i)
		}

		for _, m := range polylines.FindAllStringSubmatch(svg, -1) {
			points := strings.Fields(m[1])
			for i := 1; i < len(points); i++ {
				segment := segmentOf(t, points[i-1], points[i])
				require.True(t, segment.left >= 0 && segment.right <= width && segment.bottom <= height, "seed %d: an arrow exceeds the image", seed)
				for k, box := range boxes {
					crosses := segment.left < box.right-0.1 && segment.right > box.left+0.1 && segment.top < box.bottom-0.1 && segment.bottom > box.top+0.1
					require.False(t, crosses, "seed %d: an arrow crosses box %d: %s", seed, k, m[1])
				}
			}
		}
	}
}

// A line's width is estimated for the widest fonts: emoji are a quarter wider than high, and full-width characters are
// as wide as high.
func TestSVGLinesFitTheWidestFonts(t *testing.T) {
	t.Parallel()

	const width, size = 296, 14 // for text in a box
	line := regexp.MustCompile(`<text x="32.0" y="[\d.]+" fill="currentColor">([^<]*)</text>`)
	for character, ems := range map[string]float64{"🎉": 1.25, "⭐": 1.25, "製": 1, "W": 0.99, "m": 0.98} {
		svg := flow.SVG("survey", []flow.Question{{Kind: flow.Open, Text: strings.Repeat(character, 100)}})
		lines := line.FindAllStringSubmatch(svg, -1)
		require.NotEmpty(t, lines, "%s", svg)
		for _, m := range lines {
			assert.LessOrEqual(t, float64(len([]rune(m[1])))*ems*size, float64(width), character)
		}
	}
}

// segmentOf returns the straight part of an arrow between two points written as "x,y".
func segmentOf(t *testing.T, from, to string) rectangle {
	t.Helper()

	a, b := strings.Split(from, ","), strings.Split(to, ",")
	ax, ay, bx, by := number(t, a[0]), number(t, a[1]), number(t, b[0]), number(t, b[1])
	return rectangle{min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)}
}

func number(t *testing.T, text string) float64 {
	t.Helper()

	n, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return n
}

// A drawing for a page has a link on each box, including the end. URLs are escaped.
func TestLinkedSVG(t *testing.T) {
	t.Parallel()
	svg := flow.LinkedSVG("survey", nps(), func(target string) string { return `?a=<"&target=` + target })
	requireXML(t, svg)
	for _, target := range []string{"0", "1", "2", "end"} {
		assert.Contains(t, svg, `<a href="?a=&lt;&#34;&amp;target=`+target+`"><g data-question="`+target+`">`)
	}
	assert.Contains(t, svg, `role="group"`, "an image would hide its links")
	assert.NotContains(t, flow.InlineSVG("survey", nps()), "<a ")
}
