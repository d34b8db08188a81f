package flow_test

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
)

// picturesVariable names a directory in which the tests save pictures for inspection.
const picturesVariable = "TEST_PICTURES"

// texts are question texts: short and long, in wide and narrow letters, in scripts without spaces, and with a word
// longer than a line.
var texts = []string{
	"How likely are you to recommend us to a friend or colleague?",
	"Why?",
	"What is the one thing that we could do to make this product more useful for you and for the people that you work with every day? Please be as specific as you can; it helps us most.",
	"WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
	"製品についてどう思いますか？改善できる点があれば教えてください。どんな小さなことでも構いません。",
	"Was hat Sie enttäuscht? Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen",
	"🙂🙃😀 How do you feel today? 🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉",
	"ما رأيك في المنتج؟ هل هناك شيء يمكننا تحسينه من أجلك؟",
}

// branched returns a survey with n questions and every kind of branching: to the next question, to the end, far ahead,
// back, by response, and past a question that is never shown.
func branched(n int) []flow.Question {
	questions := make([]flow.Question, n)
	for i := range questions {
		q := flow.Question{Kind: flow.Open, Text: texts[i%len(texts)], Optional: i%3 == 0}
		switch i % 5 {
		case 0:
			q.Kind, q.Scale, q.Branching = flow.Rating, 10, flow.ResponseBased
			q.Responses = map[string]int{"detractors": min(i+1, n-1), "passives": min(i+4, n-1), "promoters": flow.End}
		case 1:
			q.Kind, q.Choices, q.Branching = flow.SingleChoice, 3, flow.ResponseBased
			q.ChoiceTexts = []string{"Yes, I use it every day and would not want to work without it", "No", "それは場合によります"}
			q.Responses = map[string]int{"0": min(i+2, n-1), "1": max(i-1, 0), "2": flow.End}
		case 2:
			q.Kind = "a_kind_of_question_that_no_version_of_this_program_knows_yet"
		case 3:
			q.Branching, q.Index = flow.SpecificQuestion, max(i-3, 0)
		}
		questions[i] = q
	}
	return questions
}

// faultsScript finds defects in the drawing on a page as the browser rendered it, with real fonts instead of
// estimates.
const faultsScript = `(() => {
  const svg = document.querySelector("svg"), whole = svg.getBoundingClientRect(), faults = []
  const rect = (e) => e.getBoundingClientRect()
  const inside = (a, b, slack) => a.left >= b.left - slack && a.right <= b.right + slack && a.top >= b.top - slack && a.bottom <= b.bottom + slack
  const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1

  const boxes = [...svg.querySelectorAll("rect.box")], texts = [...svg.querySelectorAll("text")], lines = [...svg.querySelectorAll("polyline")]
  for (const t of texts) {
    if (!inside(rect(t), whole, 0)) faults.push("cut off: " + t.textContent)
    const box = t.parentElement === svg ? t.previousElementSibling : t.parentElement.querySelector("rect.box")
    if (box && !inside(rect(t), rect(box), 0)) faults.push("outside of its box: " + t.textContent)
    if (!box && boxes.some((b) => overlap(rect(t), rect(b)))) faults.push("label over a box: " + t.textContent)
  }
  texts.forEach((a, i) => texts.slice(i + 1).forEach((b) => {
    // The boxes of letters are higher than the letters: lines of one text touch.
    const x = rect(a), y = rect(b), shared = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top)
    if (overlap(x, y) && shared > 4) faults.push("over each other: " + a.textContent + " / " + b.textContent)
  }))

  for (const line of lines) {
    const points = [...line.points].map((p) => ({ x: p.x + whole.left, y: p.y + whole.top }))
    for (let i = 1; i < points.length; i++) {
      const [p, q] = [points[i - 1], points[i]]
      const part = { left: Math.min(p.x, q.x), right: Math.max(p.x, q.x), top: Math.min(p.y, q.y), bottom: Math.max(p.y, q.y) }
      if (!inside(part, whole, 0)) faults.push("an arrow is cut off")
      const crosses = (b, slack) => part.left < b.right - slack && part.right > b.left + slack && part.top < b.bottom - slack && part.bottom > b.top + slack
      boxes.forEach((b, n) => crosses(rect(b), 0.5) && faults.push("an arrow through box " + n))
      texts.forEach((t) => crosses(rect(t), 3) && faults.push("an arrow through " + t.textContent))
    }
  }
  return { faults, boxes: boxes.length, texts: texts.length, lines: lines.length }
})()`

// contrastScript computes the lowest contrast between a text and its background.
const contrastScript = `((page) => {
  const luminance = (css) => {
    const [r, g, b] = css.match(/[\d.]+/g).slice(0, 3).map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const mixed = (over, under, opacity) => {
    const [a, b] = [over, under].map((css) => css.match(/[\d.]+/g).slice(0, 3).map(Number))
    return "rgb(" + a.map((v, i) => v * opacity + b[i] * (1 - opacity)).join() + ")"
  }
  const box = getComputedStyle(document.querySelector("rect.box")).fill
  return Math.min(...[...document.querySelectorAll("text")].flatMap((t) => [page, box].map((under) => {
    const style = getComputedStyle(t), [x, y] = [luminance(mixed(style.fill, under, Number(style.fillOpacity))), luminance(under)]
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
  })))
})(%q)`

// In a browser, no text is cut off or extends beyond its box, no arrow crosses a box or text, and everything is
// readable in light and dark mode.
func TestSVGInABrowser(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)

	for _, n := range []int{2, 8, 25} {
		for _, dark := range []bool{false, true} {
			name := fmt.Sprintf("%d questions, dark %t", n, dark)
			file := filepath.Join(t.TempDir(), "flow.svg")
			require.NoError(t, os.WriteFile(file, []byte(flow.SVG("Survey", branched(n))), 0o600))
			page := browser.Open(t, "file://"+file, browsertest.View{Width: 1000, Height: 800, Dark: dark})

			var drawn struct {
				Faults              []string
				Boxes, Texts, Lines int
			}
			page.Evaluate(t, faultsScript, &drawn)
			assert.Empty(t, drawn.Faults, name)
			assert.Equal(t, n+1, drawn.Boxes, name)
			assert.Greater(t, drawn.Texts, 2*n, name)
			assert.GreaterOrEqual(t, drawn.Lines, n, name)

			picture := page.Screenshot(t)
			var contrast float64
			page.Evaluate(t, fmt.Sprintf(contrastScript, background(t, picture)), &contrast)
			assert.GreaterOrEqual(t, contrast, 4.5, name)
			if dir := os.Getenv(picturesVariable); dir != "" {
				require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("flow-%d-dark-%t.png", n, dark)), picture, 0o600))
			}
		}
	}
}

// background returns the color in a picture's corner, in CSS notation.
func background(t *testing.T, picture []byte) string {
	t.Helper()
	decoded, err := png.Decode(bytes.NewReader(picture))
	require.NoError(t, err)
	r, g, b, _ := decoded.At(2, 2).RGBA()
	return fmt.Sprintf("rgb(%d,%d,%d)", r>>8, g>>8, b>>8)
}

// If a page such as a README embeds the drawing as an image, it has the page's background.
func TestSVGAsAnImage(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)

	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "flow.svg"), []byte(flow.SVG("Survey", branched(2))), 0o600))
	file := filepath.Join(dir, "page.html")
	require.NoError(t, os.WriteFile(file, []byte(`<!doctype html><style>
body { margin: 0; background: rgb(240,246,252) } @media (prefers-color-scheme: dark) { body { background: rgb(13,17,23) } }
</style><img src="flow.svg">`), 0o600))
	for dark, want := range map[bool]string{false: "rgb(240,246,252)", true: "rgb(13,17,23)"} {
		page := browser.Open(t, "file://"+file, browsertest.View{Dark: dark})
		assert.Equal(t, want, background(t, page.Screenshot(t)), "dark %t", dark)
		assert.Empty(t, page.Errors())
	}
}

// The check detects each kind of defect.
func TestBrowserFindsFaults(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)

	const document = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" font-size="14">
<g><rect class="box" x="10" y="10" width="50" height="30"/><text x="12" y="30">much too long for it</text></g>
<polyline points="0,25 190,25"/><g><text x="150" y="80">cut off here</text></g><rect class="box" x="10" y="60" width="50" height="30"/><text x="20" y="80">end</text></svg>`
	file := filepath.Join(t.TempDir(), "flow.svg")
	require.NoError(t, os.WriteFile(file, []byte(document), 0o600))

	var drawn struct{ Faults []string }
	browser.Open(t, "file://"+file, browsertest.View{}).Evaluate(t, faultsScript, &drawn)
	assert.Equal(t, []string{
		"outside of its box: much too long for it", "cut off: cut off here",
		"an arrow through box 0", "an arrow through much too long for it",
	}, drawn.Faults)
}
