package testserver_test

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Paths of capture v1.
const (
	analyticsEvents = "/i/v1/analytics/events"
	aiEvents        = "/i/v1/ai/events"
)

// UUIDs of two events.
const (
	firstEvent  = "019b0000-0000-7000-8000-0000000000e1"
	secondEvent = "019b0000-0000-7000-8000-0000000000e2"
)

// captureV1 returns the header of a capture v1 request, as an SDK sends it from a page of another origin.
func captureV1(token string) http.Header {
	return http.Header{
		"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "User-Agent": {"test/1.0"},
		"Posthog-Sdk-Info": {"posthog-test/1.2.3"}, "Posthog-Attempt": {"1"}, "Posthog-Request-Id": {secondEvent},
		"Posthog-Request-Timestamp": {"2026-03-01T12:00:00Z"},
		"Origin":                    {"http://localhost:3000"}, "Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"cors"},
	}
}

// sdkV1 returns a caller that behaves like an SDK with capture v1.
func sdkV1(t *testing.T, srv *testserver.Instance) caller {
	t.Helper()
	c := call(t, srv).undocumentedAnswers()
	c.header = captureV1("phc_test")
	return c
}

// batchV1 returns a batch of encoded events.
func batchV1(events ...string) string {
	return `{"created_at":"2026-03-01T12:00:00Z","batch":[` + strings.Join(events, ",") + `]}`
}

// eventV1 returns an event in the format of capture v1. more begins with a comma and contains further members. If a
// member occurs twice, the last one counts.
func eventV1(name, uuid, id, more string) string {
	return fmt.Sprintf(`{"event":%q,"uuid":%q,"distinct_id":%q,"timestamp":"2026-03-01T12:00:00Z"%s}`, name, uuid, id, more)
}

// answerV1 returns an event with an answer to the running survey.
func answerV1(uuid, id string) string {
	return eventV1("survey sent", uuid, id, `,"properties":{"$survey_id":"`+shownToApps+`"}`)
}

// errorV1 returns an error response of capture v1.
func errorV1(code, description string) string {
	return fmt.Sprintf(`{"error":%q,"error_description":%q,"error_uri":"https://posthog.com/docs/api"}`, code, description)
}

// TestCaptureV1World sends to the world of the token, and expects the request in the world's journal.
func TestCaptureV1World(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "null")) {
		world, err := srv.Server.World("w")
		require.NoError(t, err)
		c := sdkV1(t, srv).with("Authorization", "bearer phc_test_w")
		c.post(analyticsEvents, batchV1(answerV1(firstEvent, "ann"))).is(http.StatusOK)
		c.with("PostHog-Attempt", "x").post(analyticsEvents, batchV1(answerV1(secondEvent, "ann"))).is(http.StatusBadRequest)

		assert.Empty(t, srv.Journal())
		assert.Zero(t, call(t, srv).responsesTo(shownToApps))
		assert.Equal(t, 1, strings.Count(dumpOf(t, world), `"event":"survey sent"`))
		journal := world.Journal()
		require.Len(t, journal, 2)
		assert.Equal(t, []string{"1"}, journal[0].Headers["Posthog-Attempt"])
		assert.Equal(t, []string{"bearer [redacted]"}, journal[0].Headers["Authorization"])
		assert.Contains(t, string(journal[1].Body), secondEvent, "the journal must contain the decoded body of a request that is rejected for its header")
	}
}

// sentEventsV1 returns the server's "survey sent" events.
func sentEventsV1(srv *testserver.Instance) []testserver.Event {
	return srv.Events(testserver.EventFilter{})
}

// TestCaptureV1OverHTTP tests the size limit of a body, which the server checks after the header. The tests of
// package sdk cover the other rules.
func TestCaptureV1OverHTTP(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	c, one := sdkV1(t, srv), batchV1(answerV1(firstEvent, "ann"))
	large := strings.Repeat(" ", 20<<20) + one
	got := c.post(analyticsEvents, large).is(http.StatusRequestEntityTooLarge)
	assert.JSONEq(t, errorV1("payload_too_large", "payload too large: Request body exceeds limit of 20971520 bytes"), got.body)
	assert.Equal(t, secondEvent, got.header.Get("PostHog-Request-Id"))
	assert.JSONEq(t, errorV1("missing_authorization", "missing Authorization header"), c.with("Authorization", "").post(analyticsEvents, large).is(http.StatusUnauthorized).body)

	c.post(analyticsEvents, one).is(http.StatusOK)
	assert.Equal(t, 1, call(t, srv).responsesTo(shownToApps))
	assert.Equal(t, "sdk_capture", srv.Journal()[0].Operation)
}

// resultV1 returns the results for a single event.
func resultV1(outcome string) string { return `{"results":{"` + firstEvent + `":` + outcome + `}}` }

func encodedWith(t testing.TB, open func(io.Writer) (io.WriteCloser, error), text string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := open(&b)
	require.NoError(t, err)
	_, err = io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

func deflated(t testing.TB, text string) string {
	return encodedWith(t, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) }, text)
}

func zstdCompressed(t testing.TB, text string) string {
	return encodedWith(t, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }, text)
}
