package testserver_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The app receives the display settings of a survey, and posthog-js applies them.
func TestAppShowsWhatASurveySays(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t)
	for _, row := range []struct {
		name, survey string
		look         func(t *testing.T, page *appPage)
	}{
		{"a way back", `"appearance":{"allowGoBack":true},"questions":[{"id":"a","type":"open","question":"A?"},{"id":"b","type":"open","question":"B?"}]`, looksBack},
		{"the length of an answer", `"questions":[{"id":"a","type":"open","question":"A?","validation":[{"type":"min_length","value":10}]}]`, looksAtLength},
		{"an optional question", `"questions":[{"id":"a","type":"open","question":"A?","optional":true}]`, func(_ *testing.T, page *appPage) { page.submit() }},
		{"no name of the service", `"appearance":{"whiteLabel":true},` + oneQuestion, looksForNoBranding},
		{
			"HTML, without what may harm",
			`"questions":[{"id":"a","type":"open","question":"A?","description":"<b>Bold</b><img src=x onerror=\"window.harmed = true\">","descriptionContentType":"html"}]`, looksAtHTML,
		},
		{
			"HTML as a text", `"questions":[{"id":"a","type":"open","question":"A?","description":"<b>Bold</b>","descriptionContentType":"text"}]`,
			func(t *testing.T, page *appPage) {
				t.Helper()
				assert.Equal(t, "<b>Bold</b>", page.shows(".survey-question-description"))
			},
		},
		{"branching", `"questions":[
			{"id":"a","type":"rating","question":"A?","display":"number","scale":5,"branching":{"type":"response_based","responseValues":{"positive":2}}},
			{"id":"b","type":"open","question":"B?"},{"id":"c","type":"open","question":"C?"}]`, looksAtBranch},
		{"answers at a press", `"questions":[{"id":"a","type":"rating","question":"A?","display":"emoji","scale":2,"skipSubmitButton":true}]`, looksAtPress},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, host := hostingIn(t, browser, `{"surveys":[{"project_id":1,"id":"`+firstSurvey+`","name":"S","type":"popover","start_date":"2025-01-01T00:00:00Z",`+row.survey+`}]}`)
			page := host.open(t, appView{Person: "ann"})
			page.shows(".survey-question")
			row.look(t, page)
		})
	}
}

// is evaluates a Boolean expression in the page.
func (p *appPage) is(condition string) bool {
	p.t.Helper()
	var ok bool
	p.Evaluate(p.t, condition, &ok)
	return ok
}

func looksBack(t *testing.T, page *appPage) {
	t.Helper()
	assert.True(t, page.is(`inSurvey(".form-back") === null`))
	page.write("textarea", "before")
	page.submit()
	page.press(".form-back")
	waitFor(t, page.Page, `inSurvey("textarea")?.value === "before"`)
}

func looksAtLength(t *testing.T, page *appPage) {
	t.Helper()
	page.write("textarea", "short")
	waitFor(t, page.Page, `inSurvey("textarea").value === "short" && inSurvey(".form-submit").disabled`)
	page.write("textarea", "long enough")
	waitFor(t, page.Page, `!inSurvey(".form-submit").disabled`)
}

func looksForNoBranding(t *testing.T, page *appPage) {
	t.Helper()
	assert.True(t, page.is(`inSurvey(".footer-branding") === null`))
}

func looksAtHTML(t *testing.T, page *appPage) {
	t.Helper()
	assert.Equal(t, "Bold", page.shows(".survey-question-description b"))
	assert.True(t, page.is(`!inSurvey("[onerror]") && !window.harmed`))
}

func looksAtBranch(t *testing.T, page *appPage) {
	t.Helper()
	page.press(".ratings-number:nth-child(5)")
	page.submit()
	assert.Equal(t, "C?", page.shows(".survey-question"))
}

func looksAtPress(t *testing.T, page *appPage) {
	t.Helper()
	page.press(".ratings-emoji")
	sent := page.host.srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey sent"})
	assert.Equal(t, true, sent.Properties["$survey_completed"])
}

// A survey may be a tab of the app, open at an element, or wait until the app opens it.
func TestAppOpensSurveys(t *testing.T) {
	t.Parallel()
	srv, host := hosting(t, `{"surveys":[
		{"project_id":1,"id":"`+firstSurvey+`","name":"tab","type":"widget","start_date":"2025-01-01T00:00:00Z","schedule":"always",
			"appearance":{"widgetType":"tab","widgetLabel":"Tell us"},"questions":[{"id":"t","type":"open","question":"Tab?"}]},
		{"project_id":1,"id":"`+secondSurvey+`","name":"selector","type":"widget","start_date":"2025-01-01T00:00:00Z","schedule":"always",
			"appearance":{"widgetType":"selector","widgetSelector":"#feedback"},"questions":[{"id":"s","type":"open","question":"Selector?"}]},
		{"project_id":1,"id":"019b0000-0000-7000-8000-0000000000a3","name":"api","type":"api","start_date":"2025-01-01T00:00:00Z","questions":[{"id":"q","type":"open","question":"Asked?"}]}]}`)

	tab := host.open(t, appView{Person: "tab"})
	assert.Contains(t, tab.shows(".ph-survey-widget-tab"), "Tell us")
	tab.press(".ph-survey-widget-tab")
	assert.Equal(t, "Tab?", tab.shows(".survey-question"))
	tab.write("textarea", "x")
	tab.submit()
	srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey sent", SurveyID: firstSurvey})
	// A person can answer a permanent survey again on any device.
	assert.Contains(t, host.open(t, appView{Person: "tab"}).offered(), "tab")

	selector := host.open(t, appView{Person: "selector"})
	selector.offered()
	// posthog-js adds its listener a moment after it loads the survey.
	waitFor(t, selector.Page, `inSurvey(".survey-question") || (document.getElementById("feedback").click(), false)`)
	assert.Equal(t, "Selector?", selector.shows(".survey-question"))

	asked := host.open(t, appView{Person: "api"})
	assert.Contains(t, asked.offered(), "api")
	asked.Evaluate(t, `app.displaySurvey("019b0000-0000-7000-8000-0000000000a3", { displayType: "inline", selector: "#inline", ignoreConditions: true, ignoreDelay: true }), true`, new(bool))
	waitFor(t, asked.Page, `document.querySelector("#inline textarea")`)
}

// TestAppHearsOfMatchingSurveys opens an app that shows surveys itself. posthog-js must call the app whenever the
// list of matching surveys changes.
func TestAppHearsOfMatchingSurveys(t *testing.T) {
	t.Parallel()
	_, host := hosting(t, `{"surveys":[
		{"project_id":1,"id":"`+firstSurvey+`","name":"Always","type":"api","start_date":"2025-01-01T00:00:00Z",`+oneQuestion+`},
		{"project_id":1,"id":"`+secondSurvey+`","name":"Paid","type":"api","start_date":"2025-01-02T00:00:00Z","conditions":{"events":{"values":[{"name":"paid"}]}},`+oneQuestion+`}]}`)
	page := host.open(t, appView{Person: "ann"})
	page.offered()
	page.Evaluate(t, `window.lists = [], app.onActiveMatchingSurveysChanged((surveys) => lists.push(surveys.map((survey) => survey.name).join())), true`, new(bool))
	waitFor(t, page.Page, `lists.at(-1) === "Always"`)
	page.Evaluate(t, `app.capture("paid"), true`, new(bool))
	waitFor(t, page.Page, `lists.at(-1) === "Always,Paid"`)
}

// Answers come from the parameters of the URL. The person answers only the remaining questions.
func TestAppPrefillsFromTheAddress(t *testing.T) {
	t.Parallel()
	srv, host := hosting(t, `{"surveys":[{"project_id":1,"id":"`+firstSurvey+`","name":"S","type":"popover","start_date":"2025-01-01T00:00:00Z","enable_partial_responses":true,
		"questions":[{"id":"a","type":"rating","question":"A?","display":"emoji","scale":3,"skipSubmitButton":true},{"id":"b","type":"open","question":"B?"}]}]}`)
	page := host.open(t, appView{Person: "ann", Path: "/shop?q0=3", Options: `{"disable_surveys_automatic_display":true,"surveys":{"prefillFromUrl":true}}`})
	assert.Equal(t, []string{"S"}, page.offered())
	page.Evaluate(t, `app.renderSurvey("`+firstSurvey+`", "#inline"), true`, new(bool))
	sent := srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey sent"})
	assert.Equal(t, "3", toText(sent.Answer("a")))
	assert.Equal(t, "B?", page.shows(".survey-question"))
}

// A recurring survey is offered to the same person in each iteration, by the server's clock, and answers
// count for their iteration.
func TestAppAsksInEachIteration(t *testing.T) {
	t.Parallel()
	srv, host := hosting(t, `{"clock":"2026-06-01T00:00:00Z"}`)
	c := call(t, srv)
	path := c.newSurvey(`{"name":"S","type":"popover",` + oneQuestion + `,"iteration_count":2,"iteration_frequency_days":7,"schedule":"recurring"}`)
	c.patch(path, `{"start_date":"2026-06-01T00:00:00Z"}`)

	for _, day := range []string{"01", "09"} {
		c.put(control+"clock", `{"clock":"2026-06-`+day+`T00:00:00Z"}`).is(http.StatusNoContent)
		page := host.open(t, appView{Person: "ann"})
		page.write("textarea", "day "+day)
		page.submit()
		waitForAnswer(t, srv, "day "+day)
		assert.Empty(t, host.open(t, appView{Person: "ann"}).offered(), day)
	}
	sent := srv.Events(testserver.EventFilter{Event: "survey sent"})
	assert.Equal(t, []string{"1", "2"}, []string{toText(sent[0].Properties["$survey_iteration"]), toText(sent[1].Properties["$survey_iteration"])})
}
