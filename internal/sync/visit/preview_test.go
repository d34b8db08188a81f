package visit_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/visit"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
)

// nps returns the demo's survey in the form of a plan.
func nps(t *testing.T) source.Object {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "nps.json"))
	require.NoError(t, err)
	return drawn(t, string(raw))
}

// drawn returns a survey with the given JSON attributes.
func drawn(t *testing.T, attributes string) source.Object {
	t.Helper()
	object := source.Object{Kind: source.Survey, Name: "Quarterly NPS", Address: "posthog_survey.nps"}
	require.NoError(t, jsonvalue.Unmarshal([]byte(attributes), &object.Attributes))
	return object
}

// serve serves the preview of a survey and returns the URL of its page.
func serve(t *testing.T, object source.Object) string {
	t.Helper()
	surveys, err := visit.Surveys([]source.Object{object}, func(source.Object) string { return "survey" })
	require.NoError(t, err)
	server := httptest.NewServer(visit.Preview(surveys, &web.Guard{}))
	t.Cleanup(server.Close)
	return server.URL + "/surveys/survey"
}

// click waits for one of the survey's elements, which an expression finds, and clicks it. shadow is the survey's
// root.
func click(t *testing.T, page *browsertest.Page, element string) {
	t.Helper()
	var clicked bool
	page.Evaluate(t, `(async () => {
		const shadow = document.getElementById("stage").shadowRoot;
		for (;;) {
			const element = `+element+`;
			if (element && !element.disabled) { element.click(); return true; }
			await new Promise(requestAnimationFrame);
		}
	})()`, &clicked)
}

// Expressions for the survey's elements.
const submit = `shadow.querySelector(".form-submit")`

func score(n int) string { return fmt.Sprintf(`shadow.querySelector('[aria-label="Rate %d"]')`, n) }

func choice(text string) string {
	return fmt.Sprintf(`[...shadow.querySelectorAll("label")].find((l) => l.textContent === %q)?.querySelector("input")`, text)
}

// Each kind of answer to the first question leads to a different path, and each path ends where the flow shows.
func TestWalks(t *testing.T) {
	t.Parallel()
	browser, url := browsertest.Start(t), serve(t, nps(t))

	for name, walk := range map[string]struct {
		clicks []string
		path   string
	}{
		"detractor": {[]string{score(2), submit, submit, choice("No"), submit}, "0 → 1 → 4 → end"},
		"passive":   {[]string{score(8), submit, choice("Speed"), submit, choice("Yes"), submit}, "0 → 2 → 4 → end"},
		"promoter":  {[]string{score(10), submit, submit, choice("No"), submit}, "0 → 3 → 4 → end"},
	} {
		page := browser.Open(t, url, browsertest.View{})
		for _, element := range walk.clicks {
			click(t, page, element)
		}
		page.WaitFor(t, `#stage[data-place="end"]`)
		assert.Equal(t, walk.path, page.Text(t, "#path"), name)

		var shown string
		page.Evaluate(t, `document.getElementById("stage").shadowRoot.textContent`, &shown)
		assert.Contains(t, shown, "Thank you!", name)
		assert.Empty(t, page.Errors(), name)
	}
}

// The flow always marks the current question, forward and back.
func TestMarksTheQuestion(t *testing.T) {
	t.Parallel()
	page := browsertest.Start(t).Open(t, serve(t, nps(t)), browsertest.View{})
	marked := func() string {
		var places string
		page.Evaluate(t, `[...document.querySelectorAll("[data-question].current")].map((e) => e.dataset.question).join()`, &places)
		return places
	}

	page.WaitFor(t, `#stage[data-place="0"]`)
	assert.Equal(t, "0", marked())
	click(t, page, score(9))
	click(t, page, submit)
	page.WaitFor(t, `#stage[data-place="3"]`)
	assert.Equal(t, "3", marked())
	page.Click(t, "#back")
	page.WaitFor(t, `#stage[data-place="0"]`)
	page.Click(t, `.flow a[href="?question=2"]`)
	page.WaitFor(t, `#stage[data-place="2"]`)
	assert.Equal(t, "2", marked())
}

// The survey has its own colors from the renderer's stylesheet, and no request leaves the machine.
func TestLooksLikeTheSurvey(t *testing.T) {
	t.Parallel()
	url := serve(t, nps(t))
	page := browsertest.Start(t).Open(t, url, browsertest.View{})
	page.WaitFor(t, `#stage[data-place="0"]`)

	var style string
	page.Evaluate(t, `(() => {
		const form = getComputedStyle(document.getElementById("stage").shadowRoot.querySelector(".survey-form"));
		return form.backgroundColor + " " + form.borderTopLeftRadius;
	})()`, &style)
	assert.Equal(t, "rgb(255, 255, 255) 10px", style)
	assert.Empty(t, page.Errors())
	for _, request := range page.Requests() {
		assert.Regexp(t, `^(http://127\.0\.0\.1:|data:,)`, request)
	}
}

// The accessibility checker finds no problem outside of the survey.
func TestAccessible(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	whole := greeting(t)
	for _, url := range []string{serve(t, nps(t)), serve(t, whole) + "?question=0"} {
		accessible(t, browser, url)
	}
}

// accessible checks a page in both color schemes and on several screen sizes.
func accessible(t *testing.T, browser *browsertest.Browser, url string) {
	t.Helper()
	for _, view := range []browsertest.View{{}, {Dark: true}, {Width: 320, Height: 800}, {Width: 320, Height: 800, Dark: true}} {
		page := browser.Open(t, url, view)
		page.WaitFor(t, `#stage[data-place="0"]`)
		assert.Empty(t, page.Violations(t, "#stage"))

		var wide bool
		page.Evaluate(t, `document.documentElement.scrollWidth > innerWidth`, &wide)
		assert.False(t, wide, "%+v: the page is wider than the screen", view)
	}
}

// The list of surveys is readable, even on a narrow screen and with long names. It does not break short words.
func TestList(t *testing.T) {
	t.Parallel()
	named := func(name, address string) source.Object {
		object := nps(t)
		object.Name, object.Address = name, address
		return object
	}
	label := 0
	surveys, err := visit.Surveys([]source.Object{
		named(strings.Repeat("Long", 60), "module.surveys.posthog_survey.long"), named("A name of several words", ""), named("", ""),
	}, func(source.Object) string { label++; return strconv.Itoa(label) })
	require.NoError(t, err)
	server := httptest.NewServer(visit.Preview(surveys, &web.Guard{}))
	t.Cleanup(server.Close)

	browser := browsertest.Start(t)
	for _, view := range []browsertest.View{{}, {Dark: true}, {Width: 360, Height: 800}} {
		page := browser.Open(t, server.URL+"/", view)
		assert.Contains(t, page.Text(t, "main"), "(without a name)")
		assert.Empty(t, page.Violations(t))

		var broken []string
		page.Evaluate(t, `[...document.querySelectorAll("th, .kind, .number")].filter((cell) => {
			const range = document.createRange();
			range.selectNodeContents(cell);
			return range.getClientRects().length > 1;
		}).map((cell) => cell.textContent)`, &broken)
		assert.Empty(t, broken, "%+v", view)
		var wide bool
		page.Evaluate(t, `document.documentElement.scrollWidth > innerWidth`, &wide)
		assert.False(t, wide, "%+v: the page is wider than the screen", view)
	}
}

// The notes describe how the preview differs from what respondents see.
func TestNotes(t *testing.T) {
	t.Parallel()
	object := drawn(t, `{"type": "popover", "questions": [{"type": "open", "question": "Why?"}, {"type": "nps_grid", "question": "How?"}]}`)
	object.Unknown = []string{"appearance"}
	live := object
	live.Address = ""
	surveys, err := visit.Surveys([]source.Object{object, live}, func(source.Object) string { return "survey" })
	require.NoError(t, err)

	kind := `Question 2 of 2 (position 1) has a type that the renderer does not show: "nps_grid".`
	assert.Equal(t, []string{"Known only after apply, so not shown: appearance.", kind}, surveys[0].Notes)
	assert.Equal(t, []string{kind}, surveys[1].Notes, "a field that a live survey omits has its default, so it must not be listed")
}

// A survey without questions shows a notice instead of a start button.
func TestNoQuestions(t *testing.T) {
	t.Parallel()
	page := browsertest.Start(t).Open(t, serve(t, drawn(t, `{"type": "widget"}`)), browsertest.View{})
	page.WaitFor(t, `#stage[data-place="end"]`)
	text := page.Text(t, "main")
	assert.Contains(t, text, "This survey has no questions.")
	assert.NotContains(t, text, "Questions")
	assert.Empty(t, page.Errors())
}

// Hostile text in a survey does not run as code.
func TestHostileText(t *testing.T) {
	t.Parallel()
	hostile := `</script><script>window.hit = 1</script><img src=x onerror=\"window.hit = 2\">{{.}}`
	page := browsertest.Start(t).Open(t, serve(t, drawn(t, `{
		"type": "`+hostile+`", "appearance": {"thankYouMessageHeader": "`+hostile+`"},
		"questions": [{"type": "single_choice", "question": "`+hostile+`", "description": "`+hostile+`", "description_content_type": "html",
			"button_text": "`+hostile+`", "choices": ["`+hostile+`"]}]}`)), browsertest.View{})
	page.WaitFor(t, `#stage[data-place="0"]`)

	var hit bool
	page.Evaluate(t, `new Promise((done) => setTimeout(() => done("hit" in window), 200))`, &hit)
	assert.False(t, hit)
}

// Websites cannot read the pages, either through a domain that resolves to the loopback interface, or by loading
// parts of the pages.
func TestOtherSites(t *testing.T) {
	t.Parallel()
	address := serve(t, nps(t))
	status := func(host string, header map[string]string) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
		require.NoError(t, err)
		for name, value := range header {
			r.Header.Set(name, value)
		}
		r.Host = host
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response.StatusCode
	}

	assert.Equal(t, http.StatusOK, status("localhost:1", nil))
	assert.Equal(t, http.StatusOK, status("127.0.0.1", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}), "a link from another site must open the preview")
	assert.Equal(t, http.StatusMisdirectedRequest, status("evil.example", nil))
	assert.Equal(t, http.StatusForbidden, status("localhost", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}))
}
