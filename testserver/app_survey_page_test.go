package testserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// inPage lets functions that inspect surveys find the survey of an external page, which has no shadow tree.
const inPage = `window.inSurvey = (selector) => document.querySelector("#posthog-survey-container " + selector), true`

// The page of an external survey stores answers for the person in its URL, together with the URL's other
// parameters.
func TestSurveyPageTakesAnswers(t *testing.T) {
	t.Parallel()
	srv, host := hosting(t, `{"surveys":[{"project_id":1,"id":"`+firstSurvey+`","name":"On a page","type":"external_survey","start_date":"2025-01-01T00:00:00Z",
		"appearance":{"backgroundColor":"rgb(1, 2, 3)","displayThankYouMessage":true},"translations":{"de":{"name":"Auf einer Seite"}},
		"questions":[{"id":"score","type":"rating","question":"Score?","display":"number","scale":5,"translations":{"de":{"question":"Note?"}}},
			{"id":"why","type":"open","question":"Why?<script>alert(1)</script>"}]}]}`)

	address := srv.URL + "/external_surveys/" + firstSurvey + "/?distinct_id=ann&display_language=de&order=7"
	page := &appPage{host.browser.Open(t, address, browsertest.View{Fresh: true}), t, host}
	page.Evaluate(t, inPage, new(bool))
	assert.Equal(t, "Note?", page.shows(".survey-question"))
	assert.Equal(t, "On a page", page.Text(t, "h1"))
	var color string
	page.Evaluate(t, `getComputedStyle(document.querySelector("header")).backgroundColor`, &color)
	assert.Equal(t, "rgb(1, 2, 3)", color)
	page.press(".ratings-number:nth-child(4)")
	page.submit()
	page.write("textarea", "because")
	page.submit()
	page.shows(".thank-you-message")

	sent := srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey sent", DistinctID: "ann"})
	assert.Equal(t, "because", sent.Answer("why"))
	assert.Equal(t, "7", sent.Properties["order"])
	assert.Equal(t, 1, responsesOf(t, srv, firstSurvey))
	assert.Empty(t, page.Errors())
}

// The notice that is shown instead of the page of a survey that takes no answers is legible and accessible.
func TestSurveyPagesAreAccessible(t *testing.T) {
	t.Parallel()
	srv, host := hosting(t, `{"surveys":[{"project_id":1,"id":"`+firstSurvey+`","name":"S","type":"external_survey","start_date":"2025-01-01T00:00:00Z",`+oneQuestion+`},
		{"project_id":1,"id":"`+secondSurvey+`","name":"S 2","type":"external_survey",`+oneQuestion+`}]}`)
	quiet := host.browser.Open(t, srv.URL+"/external_surveys/"+secondSurvey+"/", browsertest.View{})
	assert.Equal(t, "Feels quiet in here", quiet.Text(t, "h1"))
	assert.Empty(t, quiet.Violations(t))

	open := &appPage{host.browser.Open(t, srv.URL+"/external_surveys/"+firstSurvey+"/", browsertest.View{Width: 390, Height: 800}), t, host}
	open.Evaluate(t, inPage, new(bool))
	open.shows("textarea")
	// The contents of the survey container come from posthog-js.
	assert.Empty(t, open.Violations(t, "#posthog-survey-container"))
	var overflows bool
	open.Evaluate(t, `document.documentElement.scrollWidth > innerWidth`, &overflows)
	assert.False(t, overflows)
}
