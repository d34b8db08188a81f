package testserver_test

import (
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The page of a survey says who saw it, who answered what, and why others do not see it.
func TestPageOfPeople(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	address := srv.URL + "/?survey=" + shownToApps
	_, page := getPage(t, address)
	assert.Contains(t, page, "No app has shown it yet.")

	c := app(t, srv)
	c.capture(ofSurvey("survey shown", "anon", ""))
	c.capture(captured("$identify", "ann", `,"$anon_distinct_id":"anon"`))
	c.capture(ofSurvey("survey sent", "ann", `,"$survey_response_q":"Because","$survey_response":"Because","$survey_response_gone":["a","b"],"$survey_completed":false`))
	c.capture(ofSurvey("survey dismissed", "bob", ""))
	c.capture(captured("$set", "cy", `,"$set":{"plan":"pro"}`))
	_, page = getPage(t, address)
	for _, text := range []string{
		"Shown 1 time to 1 person, dismissed 1 time, 1 response", "<strong>ann</strong>, anon", "<strong>bob</strong>", "<strong>cy</strong>",
		"answered a part <time", "dismissed it <time", "saw it <time",
		"<dt>Why?</dt><dd>Because</dd>", "<dt>($survey_response_gone, no question of the survey)</dt><dd>a, b</dd>",
	} {
		assert.Contains(t, page, text)
	}
	assert.Less(t, strings.Index(page, "<strong>bob"), strings.Index(page, "<strong>ann"), "who did something last is first")
	assert.Equal(t, 1, strings.Count(page, "Because"))
	assert.Contains(t, page, "Offered now")

	call(t, srv).patch(surveys+shownToApps+"/", `{"archived":true}`)
	_, page = getPage(t, address)
	assert.Contains(t, page, "Not offered now:")
}

// Answers, distinct ids and names of events are data, whatever they are.
func TestPageOfHostilePeople(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	texts := []string{
		"<img src=x onerror=alert(1)>", "</section><script>alert(1)</script>", `"onmouseover="alert(1)`, "{{.JSON}}", "&lt;", "\u202e", "\x00", "\xff",
		"javascript:alert(1)", "]]>", "\r\nevent: reload\r\n", "😀", strings.Repeat("x", 5000),
	}
	for _, text := range texts {
		quoted := quoted(text)
		app(t, srv).post("/e/", `{"api_key":"phc_test","event":"survey sent","distinct_id":`+quoted+`,"properties":{"$survey_id":"`+shownToApps+`","$survey_response_q":`+quoted+`}}`)
	}
	_, page := getPage(t, srv.URL+"/?survey="+shownToApps)
	assert.NotContains(t, page, "<img src=x")
	assert.Contains(t, page, html.EscapeString("<img src=x onerror=alert(1)>"))
	assert.NotContains(t, page, strings.Repeat("x", 2000), "a long answer is cut")
}

// An open page follows what people do.
func TestPageFollowsPeople(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	page := browsertest.Start(t).Open(t, srv.URL+"/?survey="+shownToApps, browsertest.View{})
	page.WaitFor(t, "#live.following")
	app(t, srv).capture(ofSurvey("survey sent", "ann", `,"$survey_response_q":"Because"`))
	page.WaitFor(t, ".people dd")
}
