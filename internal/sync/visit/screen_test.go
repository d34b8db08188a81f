package visit_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
)

// greeting returns a survey with all kinds of screens in two languages.
func greeting(t *testing.T) source.Object {
	t.Helper()
	return drawn(t, `{
		"type": "widget",
		"questions": [
			{"type": "open", "question": "Why?", "button_text": "Next", "optional": true, "description": "<p style=\"color:rgb(255, 0, 0);font-size:30px\">Red</p>", "description_content_type": "html",
			 "translations": {"de": {"question": "Warum?"}}},
			{"type": "open", "question": "And how?", "optional": true}],
		"appearance": {"widgetType": "tab", "widgetLabel": "Feedback", "displayIntroScreen": true, "introScreenHeader": "Hello",
			"displayThankYouMessage": true, "thankYouMessageHeader": "Thank you!", "thankYouMessageCloseButtonText": "Bye"},
		"translations": {"de": {"introScreenHeader": "Hallo", "thankYouMessageHeader": "Danke!"}, "pt-BR": {"thankYouMessageHeader": "Obrigado!"}}}`)
}

// seen returns what a page shows of a survey.
func seen(t *testing.T, page *browsertest.Page) string {
	t.Helper()
	var text string
	page.Evaluate(t, `[...document.getElementById("stage").shadowRoot.querySelectorAll(".ph-survey, .ph-survey-widget-tab")].map((e) => e.innerText).join(" | ")`, &text)
	return strings.Join(strings.Fields(text), " ")
}

// focused returns the focused element: its class in the survey, or its ID.
func focused(t *testing.T, page *browsertest.Page) string {
	t.Helper()
	var name string
	page.Evaluate(t, `(document.activeElement.shadowRoot?.activeElement ?? {}).className ?? document.activeElement.id`, &name)
	return name
}

// at waits until a page shows a screen.
func at(t *testing.T, page *browsertest.Page, screen string) {
	t.Helper()
	page.WaitFor(t, fmt.Sprintf(`#stage[data-place=%q]`, screen))
}

const (
	cross = `shadow.querySelector(".form-cancel")`
	tab   = `shadow.querySelector(".ph-survey-widget-tab")`
)

// The preview shows all screens that respondents see: the tab, the intro, the questions, and the thank-you message,
// which can be closed. The focus follows the screens.
func TestEveryScreen(t *testing.T) {
	t.Parallel()
	page := browsertest.Start(t).Open(t, serve(t, greeting(t))+"?question=tab", browsertest.View{})
	at(t, page, "tab")
	assert.Equal(t, "Feedback", seen(t, page))
	assert.Contains(t, page.Text(t, "#status"), "tab")

	click(t, page, tab)
	at(t, page, "intro")
	assert.Contains(t, seen(t, page), "Hello Get started")
	assert.Equal(t, "intro-screen", focused(t, page))

	click(t, page, submit)
	at(t, page, "0")
	assert.Contains(t, seen(t, page), "Why? Red Next")
	assert.Equal(t, "Question 1 of 2 (place 0)", page.Text(t, "#status"))
	assert.Equal(t, "survey-form", focused(t, page))

	click(t, page, submit)
	at(t, page, "1")
	click(t, page, submit)
	at(t, page, "end")
	assert.Contains(t, seen(t, page), "Thank you! Bye")
	assert.Equal(t, "thank-you-message", focused(t, page))
	var marked string
	page.Evaluate(t, `document.querySelector(".flow .current").textContent`, &marked)
	assert.Equal(t, "end", marked)

	click(t, page, submit)
	at(t, page, "tab")
	assert.Equal(t, "Feedback", seen(t, page), "closed")
	assert.Equal(t, "tab → intro → 0 → 1 → end → tab", page.Text(t, "#path"))
	assert.Empty(t, page.Errors())
}

// The close button closes a survey. The page around the thank-you message still reacts to keys.
func TestClose(t *testing.T) {
	t.Parallel()
	browser, url := browsertest.Start(t), serve(t, nps(t))
	page := browser.Open(t, url, browsertest.View{})
	at(t, page, "0")
	click(t, page, cross)
	at(t, page, "closed")
	assert.Empty(t, seen(t, page))
	assert.Equal(t, "The survey was closed.", page.Text(t, "#status"))
	assert.Equal(t, "restart", focused(t, page))

	page = browser.Open(t, url+"?question=end", browsertest.View{})
	at(t, page, "end")
	page.Type(t, "#restart", "\r")
	at(t, page, "0")
	var prevented bool
	page.Evaluate(t, `new Promise((done) => {
		document.getElementById("restart").addEventListener("keydown", (e) => setTimeout(() => done(e.defaultPrevented)));
		document.getElementById("restart").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
	})`, &prevented)
	assert.False(t, prevented, "a closed message must not react to keys")
	assert.Empty(t, page.Errors())
}

// Texts have the same styles and language as for respondents.
func TestStylesAndLanguages(t *testing.T) {
	t.Parallel()
	browser, url := browsertest.Start(t), serve(t, greeting(t))
	page := browser.Open(t, url+"?question=0", browsertest.View{})
	at(t, page, "0")
	var style string
	page.Evaluate(t, `(() => {
		const style = getComputedStyle(document.getElementById("stage").shadowRoot.querySelector(".survey-question-description p"));
		return style.color + " " + style.fontSize;
	})()`, &style)
	assert.Equal(t, "rgb(255, 0, 0) 30px", style)

	page.Click(t, `[data-key="language"][data-value="de"]`)
	assert.Contains(t, seen(t, page), "Warum?")
	page.Click(t, `[data-key="question"][data-value="intro"]`)
	at(t, page, "intro")
	assert.Contains(t, seen(t, page), "Hallo")
	page.Click(t, `[data-key="language"][data-value="pt-BR"]`)
	assert.Contains(t, seen(t, page), "Hello", "a text without a translation must be shown in the base language")
	page.Click(t, `[data-key="question"][data-value="end"]`)
	at(t, page, "end")
	assert.Contains(t, seen(t, page), "Obrigado!")
	assert.Empty(t, page.Errors())

	page = browser.Open(t, url+"?question=end&language=de", browsertest.View{})
	at(t, page, "end")
	assert.Contains(t, seen(t, page), "Danke!")
}

// An answer leads to the same question in every language.
func TestTranslatedAnswers(t *testing.T) {
	t.Parallel()
	url := serve(t, drawn(t, `{"type": "popover", "questions": [
		{"type": "single_choice", "question": "Again?", "choices": ["Yes", "No"], "translations": {"de": {"choices": ["Ja", "Nein"]}},
		 "branching": {"type": "response_based", "response_values": {"0": "1", "1": "2"}}},
		{"type": "open", "question": "When?"}, {"type": "open", "question": "Why?"}]}`))
	page := browsertest.Start(t).Open(t, url+"?language=de", browsertest.View{})
	at(t, page, "0")
	click(t, page, choice("Nein"))
	click(t, page, submit)
	at(t, page, "2")
	assert.Equal(t, "0 → 2", page.Text(t, "#path"))
}

// The preview does not load images from other servers, so these servers cannot see who previews a survey.
func TestImagesFromOutside(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	images := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(images.Close)
	object := drawn(t, fmt.Sprintf(`{"type": "popover", "questions": [{"type": "open", "question": "Why?", "description": "<img src='%s/a.svg'>"}]}`, images.URL))

	page := browsertest.Start(t).Open(t, serve(t, object), browsertest.View{})
	at(t, page, "0")
	var refused string
	page.Evaluate(t, `new Promise((done) => {
		document.addEventListener("securitypolicyviolation", (e) => done(e.effectiveDirective));
		new Image().src = "http://other.example/a.png";
	})`, &refused)
	assert.Equal(t, "img-src", refused)
	assert.Zero(t, asked.Load())
}

// A long flow scrolls to the current question. Each box in the flow opens its question.
func TestFlowFollows(t *testing.T) {
	t.Parallel()
	asked := make([]map[string]any, 30)
	for i := range asked {
		asked[i] = map[string]any{"type": "open", "question": fmt.Sprintf("Question of number %d", i), "optional": true}
	}
	raw, err := json.Marshal(map[string]any{"type": "popover", "questions": asked})
	require.NoError(t, err)
	page := browsertest.Start(t).Open(t, serve(t, drawn(t, string(raw)))+"?question=11", browsertest.View{})
	at(t, page, "11")
	click(t, page, submit)
	at(t, page, "12")
	assert.Equal(t, "Question 13 of 30 (place 12)", page.Text(t, "#status"))

	visible := func() bool {
		var inside bool
		page.Evaluate(t, `(() => {
			const [box, flow] = [".flow .current", ".flow"].map((s) => document.querySelector(s).getBoundingClientRect());
			return box.top >= flow.top && box.bottom <= Math.min(flow.bottom, innerHeight);
		})()`, &inside)
		return inside
	}
	assert.True(t, visible())
	page.Click(t, `.flow a[href="?question=29"]`)
	at(t, page, "29")
	assert.True(t, visible())
	page.Click(t, `.flow a[href="?question=end"]`)
	at(t, page, "end")
	assert.Equal(t, "The end: the survey closes.", page.Text(t, "#status"))
}

// The survey has the same position as for respondents, and is completely visible, on both devices.
func TestPositions(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for position, want := range map[string][2]string{
		"left": {"left", "bottom"}, "right": {"right", "bottom"}, "center": {"center", "bottom"}, "top_left": {"left", "top"}, "middle_right": {"right", "center"}, "top_center": {"center", "top"},
	} {
		url := serve(t, drawn(t, `{"type": "popover", "questions": [{"type": "open", "question": "Why?"}], "appearance": {"position": "`+position+`"}}`))
		for _, device := range []string{"desktop", "phone"} {
			page := browser.Open(t, url+"?device="+device, browsertest.View{})
			page.WaitFor(t, `#stage[data-device="`+device+`"]`)
			var found []string
			page.Evaluate(t, `(() => {
				const stage = document.getElementById("stage"), [box, page] = [stage.shadowRoot.querySelector(".ph-survey"), stage].map((e) => e.getBoundingClientRect());
				const side = (before, after, names) => names[Math.abs(before - after) < 16 ? 1 : before < after ? 0 : 2];
				return [side(box.left - page.left, page.right - box.right, ["left", "center", "right"]), side(box.top - page.top, page.bottom - box.bottom, ["top", "center", "bottom"]),
					box.left >= page.left && box.right <= page.right && box.top >= page.top && box.bottom <= page.bottom ? "whole" : "cut off"];
			})()`, &found)
			if device == "phone" {
				found[0], want[0] = "", "" // the screen is too narrow for a position on the left or right
			}
			assert.Equal(t, []string{want[0], want[1], "whole"}, found, "%s, %s", position, device)
		}
	}
}
