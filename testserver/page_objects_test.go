package testserver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// branchingFixtures are a survey with everything that its page tells.
const branchingFixtures = `{
  "api_keys": [{"key": "phx_test"}],
  "surveys": [{"project_id": 1, "id": "` + npsID + `", "name": "NPS", "type": "popover", "appearance": {"position": "left"}, "questions": [
    {"id": "q1", "type": "rating", "display": "number", "scale": 10, "question": "How likely?", "lowerBoundLabel": "Never", "upperBoundLabel": "Surely",
     "branching": {"type": "response_based", "responseValues": {"promoters": "end", "detractors": 2}}, "translations": {"de": {"question": "Wie wahrscheinlich?"}, "fr": 7}},
    {"id": "q2", "type": "single_choice", "question": "Why?", "choices": ["Price", "Speed"], "buttonText": "Go on", "optional": true,
     "branching": {"type": "response_based", "responseValues": {"0": 0, "1": "end"}}},
    {"id": "q3", "type": "link", "question": "\u200b", "link": "https://example.com/x", "branching": {"type": "end"}}]}],
  "pipeline_import_apps": [{"organization_id": "` + testserver.DefaultOrganizationID + `", "id": 7, "name": "GeoIP", "plugin_type": "local", "description": "Adds places"}]
}`

// The page of a survey says in words where answers lead, and all that respondents read.
func TestPageOfSurvey(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(branchingFixtures), Profile: testserver.Hosted})
	_, page := getPage(t, srv.URL+"/?survey="+npsID)
	const arrow = `<span class="faint">→</span> `
	for _, text := range []string{
		`<li>detractors ` + arrow + `2. (without text)</li><li>passives ` + arrow + `1. Why?</li><li>promoters ` + arrow + `end</li>`,
		`<li>“Price” ` + arrow + `0. How likely?</li><li>“Speed” ` + arrow + `end</li><li>skipped ` + arrow + `2. (without text)</li>`,
		`aria-label="Where answers lead"><li>` + arrow + "end</li>\n</ul>",
		`<span>Never</span> <span class="faint">to</span> <span>Surely</span>`,
		"Button: Go on", "<code>https://example.com/x</code>",
		`<summary>de</summary>`, `<dt>question</dt><dd>Wie wahrscheinlich?</dd>`,
		`<dt>appearance</dt><dd><details><summary>1 field</summary>`,
	} {
		assert.Contains(t, page, text)
	}
	assert.NotContains(t, page, "<details open")
}

// The page of an app shows each fact once: its JSON is folded.
func TestPageOfApp(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(branchingFixtures)})
	_, page := getPage(t, srv.URL+"/?app=7")
	assert.Contains(t, page, "<dt>description</dt><dd>Adds places</dd>")
	assert.NotContains(t, page, "<details open")
	assert.Regexp(t, `<details><summary>As it is stored</summary>`, page)
}

// Hovering a question marks its box in the drawing, and hovering the box the question.
func TestPageMarksQuestions(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(branchingFixtures)})
	page := browsertest.Start(t).Open(t, srv.URL+"/?survey="+npsID, browsertest.View{})
	page.WaitFor(t, "#live.following")
	for _, hovered := range []string{`.questions > li`, `.flow g`} {
		for place := range 3 {
			var marked string
			page.Evaluate(t, fmt.Sprintf(`(() => {
				document.querySelector('%s[data-question="%d"]').dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
				return [...document.querySelectorAll(".marked")].map((element) => element.localName + element.dataset.question).join();
			})()`, hovered, place), &marked)
			assert.Equal(t, fmt.Sprintf("g%d,li%d", place, place), marked)
		}
	}
}
