package testserver_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// shownToApps is a survey that runs, in fixtures for apps; the clock runs so that events are of now.
const (
	shownToApps     = "019b0000-0000-7000-8000-0000000000aa"
	captureFixtures = `{"clock":"2026-03-01T12:00:00Z","surveys":[{"id":"` + shownToApps + `","project_id":1,"name":"S","type":"popover",
		"start_date":"2026-02-01T00:00:00Z","created_at":"2026-02-01T00:00:00Z","responses_limit":%s,"questions":[{"id":"q","type":"open","question":"Why?"}]}]}`
)

// captured is an event as an SDK sends it; properties begin with a comma.
func captured(event, id, properties string) string {
	return fmt.Sprintf(`{"event":%q,"properties":{"token":"phc_test","distinct_id":%q%s}}`, event, id, properties)
}

// ofSurvey is an event of the survey that runs.
func ofSurvey(event, id, properties string) string {
	return captured(event, id, `,"$survey_id":"`+shownToApps+`"`+properties)
}

// capture sends a body and expects it to be taken.
func (c caller) capture(body string) {
	c.t.Helper()
	assert.JSONEq(c.t, `{"status":1}`, c.post("/e/", body).is(http.StatusOK).body)
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

// responsesTo is the number of responses to a survey.
func (c caller) responsesTo(survey string) int {
	c.t.Helper()
	var counts map[string]int
	require.NoError(c.t, json.Unmarshal([]byte(c.get(surveys+"responses_count/").is(http.StatusOK).body), &counts))
	return counts[survey]
}

// Every path takes events in every form in which SDKs send them, and each counts.
func TestCaptureForms(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "null")) {
		c, sent := app(t, srv), 0
		one := ofSurvey("survey sent", "ann", "")
		batch := `{"api_key":"phc_test","batch":[{"event":"survey sent","distinct_id":"ann","properties":{"$survey_id":"` + shownToApps + `"}}],"sent_at":"2026-03-01T12:00:00Z"}`
		for _, path := range []string{"/e/", "/e", "/i/v0/e/", "/i/v0/e", "/batch/", "/batch", "/capture/", "/capture"} {
			for _, text := range []string{one, "[" + one + "]", batch} {
				packed := base64.StdEncoding.EncodeToString([]byte(text))
				for _, body := range []string{text, gzipped(t, text), packed, "data=" + url.QueryEscape(packed)} {
					assert.JSONEq(t, `{"status":1}`, c.post(path+"?ip=1&ver=1.2&compression=gzip-js", body).is(http.StatusOK).body, path)
					sent++
				}
			}
			assert.Empty(t, c.post(path+"?beacon=1", gzipped(t, one)).is(http.StatusNoContent).body)
			sent++
		}
		assert.Equal(t, sent, call(t, srv).responsesTo(shownToApps), profile)

		last := srv.Journal()[len(srv.Journal())-2]
		assert.Equal(t, "sdk_capture", last.Operation)
		assert.Contains(t, string(last.Body), `"event":"survey sent"`, "packed bodies can be read")
	}
}

// What is refused, and that every response may be read by the page of an app.
func TestCaptureRefuses(t *testing.T) {
	t.Parallel()
	large := captured("e", "a", `,"x":"`+strings.Repeat("x", 1<<20)+`"`)
	for _, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "null")) {
		c := app(t, srv)
		for body, want := range map[string]struct {
			status int
			text   string
		}{
			`{"event":"e","distinct_id":"a"}`: {401, "event submitted without an api_key"},
			``:                                {401, "event submitted without an api_key"},
			`{"api_key":"a.b","event":"e","distinct_id":"a"}`: {401, "API key is not valid"},
			`{"api_key":"phc_test","batch":[]}`:               {400, "empty batch"},
			`{"api_key":"phc_test"}`:                          {400, "event submitted with an empty event name"},
			`{"api_key":"phc_test","event":"e"}`:              {400, "event submitted without a distinct_id"},
			`[` + captured("e", "a", "") + `,{"event":"e"}]`:  {400, "batch submitted with inconsistent api_key values"},
			"not json": {400, "the body is neither JSON nor base64"},
			`{"api_key":"phc_test","x":` + strings.Repeat("[", 1e5): {400, "JSON is nested more than 900 levels deep"},
			gzipped(t, strings.Repeat(" ", 21<<20)):                 {413, "the request is too large once it is unpacked"},
			gzipped(t, large):                                       {413, "maximum event size exceeded"},
		} {
			a := c.post("/e/", body).is(want.status)
			assert.Contains(t, a.body, want.text)
			assert.Equal(t, "http://localhost:3000", a.header.Get("Access-Control-Allow-Origin"))
		}
		c.get("/e/").is(http.StatusMethodNotAllowed)
		c.do(http.MethodOptions, "/batch", "").is(http.StatusNoContent)

		call(t, srv).put(control+"faults", `{"rules":[{"operation":"sdk_capture","status":503}]}`).is(http.StatusNoContent)
		c.post("/e/", ofSurvey("survey sent", "ann", "")).is(http.StatusServiceUnavailable)
		assert.Zero(t, call(t, srv).responsesTo(shownToApps), "a fault loses the event")
	}
}

// Without the option, the documented interface takes no events.
func TestDocumentedProfileCapturesOnRequest(t *testing.T) {
	t.Parallel()
	c := call(t, testserver.Start(t)).undocumentedAnswers()
	c.post("/e/", ofSurvey("survey sent", "ann", "")).is(http.StatusNotFound)
}

// Events of surveys that the project of the token does not have do not count, in no project.
func TestCaptureCountsOwnSurveys(t *testing.T) {
	t.Parallel()
	fixtures := `{"projects":[{"id":1},{"id":2,"api_token":"phc_two"}],` + fmt.Sprintf(captureFixtures, "null")[1:]
	for _, srv := range deliveringServers(t, fixtures) {
		c := app(t, srv)
		sent := ofSurvey("survey sent", "ann", "")
		for _, token := range []string{"phc_two", "phc_none", "phc_test_w"} {
			c.capture(strings.Replace(sent, "phc_test", token, 1))
		}
		for _, id := range []string{strings.ToUpper(shownToApps), "{" + shownToApps + "}", "019b0000-0000-7000-8000-0000000000ab", "x"} {
			c.capture(strings.Replace(sent, shownToApps, id, 1))
		}
		c.capture(captured("survey sent", "ann", ""))
		c.capture(captured("$pageview", "ann", ""))
		assert.Zero(t, call(t, srv).responsesTo(shownToApps))
		c.capture(sent)
		assert.Equal(t, 1, call(t, srv).responsesTo(shownToApps))

		world, err := srv.Server.World("w")
		require.NoError(t, err)
		c.capture(strings.Replace(sent, "phc_test", "phc_test_w", 1))
		assert.Equal(t, 1, call(t, srv).responsesTo(shownToApps), "it counts in the world of its token")
		assert.Contains(t, dumpOf(t, world), `"event":"survey sent"`)
	}
}

func dumpOf(t *testing.T, s *testserver.Server) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, s.Dump(&b))
	return b.String()
}

// One event counts once, however often it arrives; of a submission the latest event counts.
func TestCaptureCountsOnce(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "null")) {
		c := app(t, srv)
		again := `{"uuid":"019b0000-0000-7000-8000-0000000000e1",` + ofSurvey("survey sent", "ann", "")[1:]
		c.capture("[" + again + "," + again + "]")
		c.capture(again)
		assert.Equal(t, 1, call(t, srv).responsesTo(shownToApps))

		for i := range 3 {
			c.capture(ofSurvey("survey sent", "bob", fmt.Sprintf(`,"$survey_submission_id":"s","$survey_completed":%t`, i == 2)))
		}
		assert.Equal(t, 2, call(t, srv).responsesTo(shownToApps))
		c.capture(ofSurvey("survey shown", "cy", ""))
		c.capture(ofSurvey("survey dismissed", "cy", `,"$survey_partially_completed":false`))
		c.capture(ofSurvey("survey abandoned", "cy", ""))
		assert.Equal(t, 2, call(t, srv).responsesTo(shownToApps), "nothing was answered")
		c.capture(ofSurvey("survey abandoned", "cy", `,"$survey_submission_id":"s2","$survey_partially_completed":true`))
		assert.Equal(t, 3, call(t, srv).responsesTo(shownToApps))
	}
}

// A survey that reaches its limit is stopped and gone from the feed. What arrives after that is
// still a response, and one that is continued does not count twice.
func TestCaptureStopsAtTheLimit(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "2")) {
		c, survey := app(t, srv), surveys+shownToApps+"/"
		part := func(id string) string { return ofSurvey("survey sent", id, `,"$survey_submission_id":"`+id+`"`) }
		c.capture(part("ann"))
		c.capture(part("ann"))
		c.capture(ofSurvey("survey dismissed", "cy", `,"$survey_partially_completed":true`))
		assert.Contains(t, c.feed("phc_test"), `"S"`, "what was filled in before closing does not count for the limit")
		c.capture(part("bob"))
		assert.Empty(t, c.feed("phc_test"), profile)
		assert.Equal(t, `"2026-03-01T12:00:00Z"`, call(t, srv).get(survey).raw("end_date"))

		c.capture(part("bob"))
		c.capture(part("dan"))
		assert.Equal(t, 4, call(t, srv).responsesTo(shownToApps))
	}
}

// A survey that is archived still counts, one that is deleted takes no more events.
func TestCaptureOfArchivedAndDeletedSurveys(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "null")) {
		c, survey := app(t, srv), surveys+shownToApps+"/"
		call(t, srv).patch(survey, `{"archived":true}`).is(http.StatusOK)
		c.capture(ofSurvey("survey sent", "ann", ""))
		assert.Equal(t, 1, call(t, srv).responsesTo(shownToApps))
		call(t, srv).delete(survey).is(http.StatusNoContent)
		c.capture(ofSurvey("survey sent", "ann", ""))
		assert.Equal(t, 1, strings.Count(srv.Dump(), `"event":"survey sent"`))
	}
}
