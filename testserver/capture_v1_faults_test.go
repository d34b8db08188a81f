package testserver_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// TestCaptureV1Faults sets event results, and expects errors in the format of capture v1.
func TestCaptureV1Faults(t *testing.T) {
	t.Parallel()
	two := batchV1(answerV1(firstEvent, "ann"), answerV1(secondEvent, "bob"))
	results := func(first, second string) string {
		return `{"results":{"` + firstEvent + `":` + first + `,"` + secondEvent + `":` + second + `}}`
	}
	const (
		ok    = `{"result":"ok"}`
		drop  = `{"result":"drop","details":"billing_limit_exceeded"}`
		warn  = `{"result":"warning","details":"person_processing_disabled"}`
		retry = `{"result":"retry","details":"not_persisted"}`
	)
	for _, row := range []struct {
		effect     string
		status     int
		want       string
		retryAfter string
		counts     int
	}{
		{`"event_results":["retry"]`, 200, results(retry, retry), "1", 0},
		{`"event_results":["ok","retry"]`, 200, results(ok, retry), "1", 1},
		{`"event_results":["drop","ok"]`, 200, results(drop, ok), "", 1},
		{`"event_results":["warning","drop"]`, 200, results(warn, drop), "", 1},
		{`"status":500`, 500, errorV1("internal_error", "Internal Server Error"), "1", 0},
		{`"status":503`, 503, errorV1("service_unavailable", "Service Unavailable"), "1", 0},
		{`"status":504,"retry_after":7`, 504, errorV1("gateway_timeout", "Gateway Timeout"), "7", 0},
		{`"status":408`, 408, errorV1("request_timeout", "request timed out"), "1", 0},
		{`"status":429`, 429, errorV1("rate_limited", "Rate limit exceeded."), "1", 0},
		{`"status":401`, 401, errorV1("invalid_api_token", "The provided API token is not valid."), "", 0},
		{`"status":402`, 402, `{"error":"billing_limit_exceeded","error_description":"Billing quota exceeded. Events are being dropped. Upgrade your plan to resume ingestion.",
			"error_uri":"https://posthog.com/docs/billing/limits"}`, "", 0},
		{`"status":503,"body":{"mine":1}`, 503, `{"mine":1}`, "", 0},
		{`"throttle":{"requests":1,"per_seconds":60},"from":2`, 200, results(ok, ok), "", 2},
	} {
		t.Run(row.effect, func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
			call(t, srv).put(control+"faults", `{"rules":[{"operation":"sdk_capture",`+row.effect+`}]}`).is(http.StatusNoContent)
			got := sdkV1(t, srv).post(analyticsEvents, two).is(row.status)
			assert.JSONEq(t, row.want, got.body)
			assert.Equal(t, row.retryAfter, got.header.Get("Retry-After"))
			assert.Equal(t, row.counts, call(t, srv).responsesTo(shownToApps))

			call(t, srv).delete(control + "faults").is(http.StatusNoContent)
			sdkV1(t, srv).with("PostHog-Attempt", "2").post(analyticsEvents, two).is(http.StatusOK)
			assert.Equal(t, 2, call(t, srv).responsesTo(shownToApps), "events that an app repeats must count")
		})
	}
}

// TestCaptureV1Throttled expects that a throttle refuses requests in the format of capture v1.
func TestCaptureV1Throttled(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	srv.SetFaults(testserver.Fault{Operation: "sdk_capture", Throttle: &testserver.Throttle{Requests: 1, PerSeconds: 60}})
	c := sdkV1(t, srv)
	c.post(analyticsEvents, batchV1(answerV1(firstEvent, "ann"))).is(http.StatusOK)
	limited := c.post(analyticsEvents, batchV1(answerV1(secondEvent, "ann"))).is(http.StatusTooManyRequests)
	assert.JSONEq(t, errorV1("rate_limited", "Rate limit exceeded."), limited.body)
	assert.Equal(t, "60", limited.header.Get("Retry-After"))
}

// TestEventResultsAreOfCaptureV1 expects that event results select only capture v1 requests, and that the server
// refuses rules without an effect.
func TestEventResultsAreOfCaptureV1(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	srv.SetFaults(testserver.Fault{To: 1, EventResults: []string{"retry"}})
	app(t, srv).capture(ofSurvey("survey sent", "ann", ""))
	assert.Equal(t, int64(0), srv.Faults()[0].Matches)
	assert.Contains(t, sdkV1(t, srv).post(analyticsEvents, batchV1(answerV1(firstEvent, "ann"))).is(http.StatusOK).body, `"retry"`)
	assert.Contains(t, sdkV1(t, srv).post(analyticsEvents, batchV1(answerV1(firstEvent, "ann"))).is(http.StatusOK).body, `"ok"`)

	for rule, complaint := range map[string]string{
		`{"event_results":[]}`:                                    `rules[0].event_results: is empty, so it would change nothing`,
		`{"event_results":["lost"]}`:                              `rules[0].event_results: unknown result "lost". Use ok, drop, warning, or retry`,
		`{"operation":"surveys_list","event_results":["ok"]}`:     `rules[0].event_results: surveys_list does not receive events. Use sdk_capture`,
		`{"status":503,"event_results":["ok"]}`:                   `rules[0].event_results: cannot be combined with status, retry_after, or html, which store no events`,
		`{"operation":"sdk_capture","event_results":{"ok":"ok"}}`: `rules[0].event_results: must be an array, not an object`,
	} {
		require.EqualError(t, srv.Server.ReplaceFaults([]byte(`{"rules":[`+rule+`]}`)), "faults: "+complaint)
	}
}
