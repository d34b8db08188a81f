package testserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// patient returns a context with a timeout that is long enough for an app on a busy machine.
func patient(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// hosting starts a server with the hosted profile and an app that uses the server's project.
func hosting(t *testing.T, fixtures string) (*testserver.Instance, *appHost) {
	t.Helper()
	return hostingIn(t, browsertest.Start(t), fixtures)
}

// hostingIn is hosting with a browser that several tests share.
func hostingIn(t *testing.T, browser *browsertest.Browser, fixtures string) (*testserver.Instance, *appHost) {
	t.Helper()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fixtures)})
	return srv, hostApp(t, srv, browser)
}

// running returns the entry of a running survey. rest contains further keys.
func running(id, rest string) string {
	return `{"project_id":1,"id":"` + id + `","type":"popover","start_date":"2025-01-01T00:00:00Z","appearance":{"displayThankYouMessage":true},` + rest + `}`
}

const (
	firstSurvey  = "019b0000-0000-7000-8000-0000000000a1"
	secondSurvey = "019b0000-0000-7000-8000-0000000000a2"
	oneQuestion  = `"questions":[{"id":"why","type":"open","question":"Why?"}]`
)

// responsesOf returns the number of responses to a survey.
func responsesOf(t *testing.T, srv *testserver.Instance, id string) int {
	t.Helper()
	var counts map[string]int
	require.NoError(t, json.Unmarshal([]byte(call(t, srv).get(surveys+"responses_count/").is(http.StatusOK).body), &counts))
	return counts[id]
}

// waitForAnswer waits for an answer, and returns all events with answers.
func waitForAnswer(t *testing.T, srv *testserver.Instance, answer string) []testserver.Event {
	t.Helper()
	var all []testserver.Event
	require.Eventually(t, func() bool {
		all = srv.Events(testserver.EventFilter{Event: "survey sent"})
		return slices.ContainsFunc(all, func(e testserver.Event) bool {
			return slices.Contains(slices.Collect(maps.Values(e.Properties)), any(answer))
		})
	}, time.Minute, 20*time.Millisecond)
	return all
}

// toText formats a number from an event as text.
func toText(value any) string { return fmt.Sprint(value) }

// A respondent answers questions of every type, in an app that bundles posthog-js and in apps that load it
// from the server. The answers arrive and count.
func TestAppAnswers(t *testing.T) {
	t.Parallel()
	srv, host := hosting(t, `{"surveys":[`+running(firstSurvey, `"name":"S","questions":[
		{"id":"open","type":"open","question":"Open?"},
		{"id":"number","type":"rating","question":"Number?","display":"number","scale":10},
		{"id":"emoji","type":"rating","question":"Emoji?","display":"emoji","scale":3},
		{"id":"one","type":"single_choice","question":"One?","choices":["Red","Blue"]},
		{"id":"many","type":"multiple_choice","question":"Many?","choices":["Cat","Dog","Other"],"hasOpenChoice":true},
		{"id":"link","type":"link","question":"Link?","link":"https://example.com"}]`)+`]}`)

	scripts := map[string]string{
		"bundled": "", "by the snippet": "/static/array.js", "in one file": "/static/array.full.js", "with the config": "/array/phc_test/array.js",
	}
	for person, script := range scripts {
		page := host.open(t, appView{Person: person, Script: script})
		page.write("textarea", "Because <b>of</b> \u2028 it")
		page.submit()
		page.press(".ratings-number:nth-child(8)")
		page.submit()
		page.press(".ratings-emoji:nth-child(3)")
		page.submit()
		page.press("#surveyQuestion3Choice1")
		page.submit()
		page.press("#surveyQuestion4Choice0")
		page.press("#surveyQuestion4Choice2")
		page.write("#surveyQuestion4Choice2Open", "A bird")
		page.submit()
		page.Evaluate(t, `window.open = () => null, true`, new(bool))
		page.submit()
		page.shows(".thank-you-message")

		sent := srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey sent", SurveyID: firstSurvey, DistinctID: person})
		assert.Equal(t, "Because <b>of</b> \u2028 it", sent.Answer("open"))
		assert.Equal(t, json.Number("7"), sent.Answer("number"))
		assert.Equal(t, json.Number("3"), sent.Answer("emoji"))
		assert.Equal(t, "Blue", sent.Answer("one"))
		assert.Equal(t, []any{"Cat", "A bird"}, sent.Answer("many"))
		assert.Equal(t, "link clicked", sent.Answer("link"))
		assert.Equal(t, true, sent.Properties["$survey_completed"])
	}

	assert.Equal(t, len(scripts), responsesOf(t, srv, firstSurvey))
	stats := call(t, srv).statsOf(surveys + firstSurvey + "/stats/")
	assert.Equal(t, int64(len(scripts)), stats["survey shown"].Total)
	assert.Equal(t, int64(len(scripts)), stats["survey sent"].Persons)
	assert.Zero(t, stats["survey dismissed"].Total)
}

// A respondent who leaves halfway still sends answers. All parts share a submission, which counts once.
func TestAppAnswersInParts(t *testing.T) {
	t.Parallel()
	srv, host := hosting(t, `{"surveys":[`+running(firstSurvey, `"name":"S","enable_partial_responses":true,"questions":[
		{"id":"a","type":"open","question":"A?"},{"id":"b","type":"open","question":"B?"}]`)+`]}`)

	page := host.open(t, appView{Person: "ann"})
	page.write("textarea", "first")
	page.submit()
	first := srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey sent"})
	assert.Equal(t, false, first.Properties["$survey_completed"])
	assert.Equal(t, 1, responsesOf(t, srv, firstSurvey))

	page.leave()
	left := srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey abandoned"})
	assert.Equal(t, first.Properties["$survey_submission_id"], left.Properties["$survey_submission_id"])
	assert.Equal(t, "first", left.Answer("a"))
	assert.Equal(t, 1, responsesOf(t, srv, firstSurvey))

	// The survey continues where the respondent left it.
	page.again(appView{Person: "ann"})
	assert.Equal(t, "B?", page.shows(".survey-question"))
	page.write("textarea", "second")
	page.submit()
	page.shows(".thank-you-message")
	page.leave()
	all := waitForAnswer(t, srv, "second")
	assert.Equal(t, "second", all[1].Answer("b"))
	assert.Equal(t, true, all[1].Properties["$survey_completed"])
	assert.Equal(t, 1, responsesOf(t, srv, firstSurvey))
}

// A person who leaves without an answer has abandoned the survey. This does not count as a response.
func TestAppAbandons(t *testing.T) {
	t.Parallel()
	srv, host := hosting(t, `{"surveys":[`+running(firstSurvey, `"name":"S",`+oneQuestion)+`]}`)
	page := host.open(t, appView{Person: "ann"})
	page.shows("textarea")
	srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey shown"})
	page.leave()
	page.again(appView{Person: "ann"})
	page.shows("textarea")
	assert.Zero(t, responsesOf(t, srv, firstSurvey))
	assert.Empty(t, srv.Events(testserver.EventFilter{Event: "survey sent"}))
}

// A survey is shown in the person's language, and its answers contain that language.
func TestAppSpeaksLanguages(t *testing.T) {
	t.Parallel()
	srv, host := hosting(t, `{"surveys":[`+running(firstSurvey, `"name":"S","base_language":"en","translations":{"de_DE":{"name":"U"},"fr":{"name":"E"}},
		"questions":[{"id":"one","type":"single_choice","question":"Which?","choices":["Red","Blue"],
			"translations":{"de-DE":{"question":"Welche?","choices":["Rot","Blau"]},"fr":{"question":"Laquelle ?"}}}]`)+`]}`)
	for language, want := range map[string]string{"de-DE": "Welche?", "fr": "Laquelle ?", "it": "Which?"} {
		page := host.open(t, appView{Person: language, Options: `{"override_display_language":"` + language + `"}`})
		assert.Equal(t, want, page.shows(".survey-question"))
		if language == "de-DE" {
			page.press("#surveyQuestion0Choice1")
			page.submit()
		}
	}
	sent := srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey sent", DistinctID: "de-DE"})
	assert.Equal(t, "Blau", sent.Answer("one"))
	assert.Equal(t, "de-de", sent.Properties["$survey_language"])
}

// An SDK resends an event after a fault, and the event counts once.
func TestAppSendsAgain(t *testing.T) {
	t.Parallel()
	srv, host := hosting(t, `{"surveys":[`+running(firstSurvey, `"name":"S",`+oneQuestion)+`]}`)
	page := host.open(t, appView{Person: "ann"})
	page.write("textarea", "x")
	srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey shown"})
	// The server stores the answer, but the SDK receives an error.
	srv.SetFaults(testserver.Fault{Operation: "sdk_capture", To: 1, Drop: "after"})
	page.submit()
	sent := srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey sent"})
	require.Eventually(t, func() bool {
		requests := 0
		for _, request := range srv.Journal() {
			requests += strings.Count(string(request.Body), sent.UUID.String())
		}
		return requests > 1
	}, time.Minute, 20*time.Millisecond)

	page.again(appView{Person: "ann"})
	assert.Empty(t, page.offered())
	assert.Equal(t, 1, responsesOf(t, srv, firstSurvey))
	assert.Len(t, srv.Events(testserver.EventFilter{Event: "survey sent"}), 1)
}
