package sdk_test

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
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
func sdkV1(t *testing.T, srv *world) caller {
	t.Helper()
	return caller{t, srv, captureV1("phc_test")}
}

// batchV1 returns a batch of encoded events.
func batchV1(events ...string) string {
	return `{"created_at":"2026-03-01T12:00:00Z","batch":[` + strings.Join(events, ",") + `]}`
}

// eventV1 returns an event in the format of capture v1. more begins with a comma and contains further
// members. If a member occurs twice, the last one counts.
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

func zlibbed(t testing.TB, text string) string {
	return encodedWith(t, func(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil }, text)
}

func deflated(t testing.TB, text string) string {
	return encodedWith(t, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) }, text)
}

func zstdCompressed(t testing.TB, text string) string {
	return encodedWith(t, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }, text)
}

// TestCaptureV1Contract sends requests from PostHog's contract. For each, it checks the status, the whole
// body, and whether the answer counts.
func TestCaptureV1Contract(t *testing.T) {
	t.Parallel()
	one := batchV1(answerV1(firstEvent, "ann"))
	ok := resultV1(`{"result":"ok"}`)
	missing := func(names string) string {
		return errorV1("missing_required_headers", "request is missing required headers: ["+names+"]")
	}
	invalidHeader := func(why string) string { return errorV1("invalid_header_value", "invalid header value: "+why) }
	parsing := errorV1("request_parsing_error", "Failed to parse request body.")
	decoding := errorV1("request_decoding_error", "Failed to decode request body.")
	of := func(more string) string {
		return batchV1(eventV1("survey sent", firstEvent, "ann", `,"properties":{"$survey_id":"`+shownToApps+`"}`+more))
	}

	for _, row := range []struct {
		name string
		// header replaces header fields. An empty value removes a field.
		header map[string]string
		body   string
		status int
		want   string
		counts int
	}{
		{name: "a batch", body: one, status: 200, want: ok, counts: 1},
		{name: "two events", body: batchV1(answerV1(firstEvent, "ann"), answerV1(secondEvent, "bob")), status: 200, counts: 2,
			want: `{"results":{"` + firstEvent + `":{"result":"ok"},"` + secondEvent + `":{"result":"ok"}}}`},
		{name: "a historical migration", body: strings.Replace(one, "{", `{"historical_migration":true,`, 1), status: 200, want: ok, counts: 1},
		{name: "an ID in capitals", body: batchV1(answerV1(strings.ToUpper(firstEvent), "ann")), status: 200, want: ok, counts: 1},
		{name: "all members", status: 200, want: ok, counts: 1,
			body: of(`,"session_id":"s","window_id":null,"options":{"process_person_profile":true,"cookieless_mode":"0","product_tour_id":7},"more":1`)},
		{name: "bearer in capitals", header: map[string]string{"Authorization": "BEARER  phc_test"}, body: one, status: 200, want: ok, counts: 1},
		{name: "a media type with a charset", header: map[string]string{"Content-Type": "Application/JSON; charset=utf-8"}, body: one, status: 200, want: ok, counts: 1},
		{name: "a token that no project has", header: map[string]string{"Authorization": "Bearer phc_none"}, body: one, status: 200, want: ok},
		{name: "gzip", header: map[string]string{"Content-Encoding": "gzip"}, body: zipped(t, one), status: 200, want: ok, counts: 1},
		{name: "deflate in a frame", header: map[string]string{"Content-Encoding": "Deflate"}, body: zlibbed(t, one), status: 200, want: ok, counts: 1},
		{name: "deflate without a frame", header: map[string]string{"Content-Encoding": "deflate"}, body: deflated(t, one), status: 200, want: ok, counts: 1},
		{name: "zstd", header: map[string]string{"Content-Encoding": "zstd"}, body: zstdCompressed(t, one), status: 200, want: ok, counts: 1},

		{name: "without authorization, which is checked first", header: map[string]string{"Authorization": "", "User-Agent": ""}, body: one, status: 401,
			want: errorV1("missing_authorization", "missing Authorization header")},
		{name: "without required headers", header: map[string]string{"PostHog-Sdk-Info": "", "PostHog-Request-Timestamp": "", "Content-Type": "", "Authorization": "Basic x"},
			body: one, status: 400, want: missing(`"PostHog-Sdk-Info", "PostHog-Request-Timestamp", "content-type"`)},
		{name: "without an attempt", header: map[string]string{"PostHog-Attempt": ""}, body: one, status: 400, want: missing(`"PostHog-Attempt"`)},
		{name: "without a request ID", header: map[string]string{"PostHog-Request-Id": ""}, body: one, status: 400, want: missing(`"PostHog-Request-Id"`)},
		{name: "without a user agent", header: map[string]string{"User-Agent": ""}, body: one, status: 400, want: missing(`"user-agent"`)},
		{name: "without a bearer", header: map[string]string{"Authorization": "Basic phc_test"}, body: one, status: 400,
			want: invalidHeader("Authorization must use Bearer scheme")},
		{name: "an API key", header: map[string]string{"Authorization": "Bearer phx_test"}, body: one, status: 401,
			want: errorV1("invalid_api_token", "The provided API token is not valid.")},
		{name: "another media type", header: map[string]string{"Content-Type": "text/plain"}, body: one, status: 415,
			want: errorV1("unsupported_content_type", "unsupported content type: text/plain")},
		{name: "another encoding", header: map[string]string{"Content-Encoding": "br"}, body: one, status: 415,
			want: errorV1("unsupported_encoding", "unsupported content encoding: br")},
		{name: "a request ID that is not valid", header: map[string]string{"PostHog-Request-Id": "1"}, body: one, status: 400,
			want: invalidHeader("PostHog-Request-Id is not a valid UUID: 1")},
		{name: "attempt 0", header: map[string]string{"PostHog-Attempt": "0"}, body: one, status: 400,
			want: invalidHeader("PostHog-Attempt must be a positive integer: 0")},
		{name: "a request at no time", header: map[string]string{"PostHog-Request-Timestamp": "now"}, body: one, status: 400,
			want: invalidHeader("PostHog-Request-Timestamp is not valid RFC 3339: now")},

		{name: "no body", status: 400, want: errorV1("empty_body", "request body is empty")},
		{name: "a body that is not encoded so", header: map[string]string{"Content-Encoding": "zstd"}, body: one, status: 400, want: decoding},
		{name: "a body that ends early", header: map[string]string{"Content-Encoding": "gzip"}, body: zipped(t, one)[:40], status: 400, want: decoding},
		{name: "not JSON", body: "{", status: 400, want: parsing},
		{name: "no created_at", body: `{"batch":[` + answerV1(firstEvent, "ann") + `]}`, status: 400, want: parsing},
		{name: "no batch", body: `{"created_at":"2026-03-01T12:00:00Z"}`, status: 400, want: parsing},
		{name: "an event that is not an object", body: batchV1("1"), status: 400, want: parsing},
		{name: "an ID that is not a text", body: of(`,"distinct_id":7`), status: 400, want: parsing},
		{name: "a body that is too large after decompression", header: map[string]string{"Content-Encoding": "gzip"}, status: 413,
			body: zipped(t, strings.Repeat(" ", 20<<20)+one), want: errorV1("payload_too_large", "payload too large: Request body exceeds limit of 20971520 bytes")},

		{name: "an empty batch", body: batchV1(), status: 400, want: errorV1("empty_batch", "request batch is empty")},
		{name: "a batch of no time", body: strings.Replace(one, "2026-03-01T12:00:00Z", "today", 1), status: 400,
			want: errorV1("invalid_batch", "invalid batch: created_at is not valid RFC 3339: today")},
		{name: "a repeated ID in a batch", body: batchV1(answerV1(firstEvent, "ann"), answerV1(firstEvent, "bob")), status: 400,
			want: errorV1("duplicate_event_uuid", "duplicate event uuid: "+firstEvent)},
		{name: "no ID", body: of(`,"uuid":""`), status: 400, want: errorV1("missing_event_uuid", "event submitted without a uuid")},
		{name: "an ID that is not valid", body: of(`,"uuid":"x"`), status: 400, want: errorV1("invalid_event_uuid", "event uuid is not valid: x")},
		{name: "no event name", body: of(`,"event":""`), status: 400, want: errorV1("missing_event_name", "event submitted without an event name")},
		{name: "no distinct ID", body: of(`,"distinct_id":"  "`), status: 400, want: errorV1("missing_distinct_id", "event submitted without a distinct_id")},
		{name: "a bad timestamp", body: of(`,"timestamp":"yesterday"`), status: 400, want: errorV1("invalid_event_timestamp", "event submitted with invalid timestamp")},
		{name: "no timestamp", body: of(`,"timestamp":null`), status: 400, want: errorV1("invalid_event_timestamp", "event submitted with invalid timestamp")},

		{name: "a name that is too long", body: of(`,"event":"` + strings.Repeat("x", 201) + `"`), status: 200, want: resultV1(`{"result":"drop","details":"event_name_too_long"}`)},
		{name: "a distinct ID that is too long", body: of(`,"distinct_id":"` + strings.Repeat("x", 201) + `"`), status: 200, want: resultV1(`{"result":"drop","details":"distinct_id_too_large"}`)},
		{name: "properties that are not an object", body: of(`,"properties":[]`), status: 200, want: resultV1(`{"result":"drop","details":"malformed_event_properties"}`)},
		{name: "options that are not valid", body: of(`,"options":{"cookieless_mode":"maybe"}`), status: 200, want: resultV1(`{"result":"drop","details":"invalid_options"}`)},
		{name: "an event that is too large", body: of(`,"properties":{"x":"` + strings.Repeat("x", 1<<20) + `"}`), status: 200, want: resultV1(`{"result":"drop","details":"event_too_big"}`)},
		{name: "a name of the longest length", body: of(`,"event":"` + strings.Repeat("x", 200) + `"`), status: 200, want: ok},
		{name: "a year beyond UTC", body: of(`,"timestamp":"9999-12-31T23:59:59-01:00"`), status: 400, want: errorV1("invalid_event_timestamp", "event submitted with invalid timestamp")},
		{name: "a year before UTC", body: of(`,"timestamp":"0001-01-01T00:00:00+01:00"`), status: 400, want: errorV1("invalid_event_timestamp", "event submitted with invalid timestamp")},
		{name: "an empty body in deflate", header: map[string]string{"Content-Encoding": "deflate"}, status: 400, want: errorV1("empty_body", "request body is empty")},
		{name: "a performance event", body: of(`,"event":"$performance_event"`), status: 200, want: resultV1(`{"result":"drop","details":"dropped_performance_event"}`)},
		{name: "an ID that many would share", body: of(`,"distinct_id":" Anonymous "`), status: 200, want: resultV1(`{"result":"warning","details":"person_processing_disabled"}`), counts: 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			srv := deliveringServers(t, fmt.Sprintf(captureFixtures, "null"))[service.Hosted]
			c := sdkV1(t, srv)
			for name, value := range row.header {
				c = c.with(name, value)
			}

			got := c.post(analyticsEvents, row.body).is(row.status)
			assert.JSONEq(t, row.want, got.body)
			assert.Equal(t, "application/json", got.header.Get("Content-Type"))
			assert.Empty(t, got.header.Get("Retry-After"))
			assert.Equal(t, c.header.Get("PostHog-Request-Id"), got.header.Get("PostHog-Request-Id"), "the ID of the request comes back")
			assert.Equal(t, "http://localhost:3000", got.header.Get("Access-Control-Allow-Origin"))
			assert.Equal(t, "true", got.header.Get("Access-Control-Allow-Credentials"))
			assert.Equal(t, row.counts, srv.responsesTo(shownToApps))
		})
	}
}

// TestCaptureV1Paths sends to both paths, with and without a trailing slash, in both profiles.
func TestCaptureV1Paths(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "null")) {
		c := sdkV1(t, srv)
		for i, path := range []string{analyticsEvents, analyticsEvents + "/", aiEvents, aiEvents + "/"} {
			c.post(path, batchV1(answerV1(fmt.Sprintf("019b0000-0000-7000-8000-0000000000f%d", i), "ann"))).is(http.StatusOK)
			assert.Equal(t, i+1, srv.responsesTo(shownToApps), profile)

			preflight := c.with("Access-Control-Request-Headers", "authorization,posthog-attempt").do(http.MethodOptions, path, "").is(http.StatusNoContent)
			assert.Equal(t, "http://localhost:3000", preflight.header.Get("Access-Control-Allow-Origin"))
			assert.Equal(t, "true", preflight.header.Get("Access-Control-Allow-Credentials"))
			assert.Equal(t, "POST, OPTIONS", preflight.header.Get("Access-Control-Allow-Methods"))
			assert.Equal(t, "authorization,posthog-attempt", preflight.header.Get("Access-Control-Allow-Headers"))
			for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut} {
				assert.Equal(t, "POST", c.do(method, path, "").is(http.StatusMethodNotAllowed).header.Get("Allow"))
			}
		}
	}

}

// TestCaptureV1CountsOnce sends an event with the same UUID in several requests and to several paths.
func TestCaptureV1CountsOnce(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "null")) {
		c := sdkV1(t, srv)
		for range 2 {
			c.post(analyticsEvents, batchV1(answerV1(firstEvent, "ann"))).is(http.StatusOK)
		}
		app(t, srv).capture(`{"uuid":"` + firstEvent + `",` + ofSurvey("survey sent", "ann", "")[1:])
		assert.Equal(t, 1, srv.responsesTo(shownToApps))
		assert.Equal(t, 1, strings.Count(srv.Dump(), firstEvent))
	}
}

// sentEventsV1 returns the events of a world, newest last.
func sentEventsV1(w *world) []*store.Event { return slices.Collect(w.Store.Events()) }

// TestCaptureV1Clock expects that the server corrects the device's clock unless the SDK declines.
func TestCaptureV1Clock(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ sentAt, at, options, want string }{
		"right":                 {"2026-03-01T12:00:00Z", "2026-03-01T11:00:00Z", `{}`, "2026-03-01T11:00:00Z"},
		"ten seconds ahead":     {"2026-03-01T12:00:10Z", "2026-03-01T11:00:00Z", `{}`, "2026-03-01T10:59:50Z"},
		"a year behind":         {"2025-03-01T12:00:00Z", "2025-03-01T11:59:00.5+00:00", `{}`, "2026-03-01T11:59:00.5Z"},
		"in another zone":       {"2026-03-01T14:00:00+02:00", "2026-03-01T06:00:00-05:00", `null`, "2026-03-01T11:00:00Z"},
		"far ahead of the rest": {"2026-03-01T12:00:00Z", "2026-03-05T12:00:00Z", `{}`, "2026-03-01T12:00:00Z"},
		"kept":                  {"2026-03-01T12:00:10Z", "2026-03-01T11:00:00Z", `{"disable_skew_correction":true}`, "2026-03-01T11:00:00Z"},
		"kept far ahead":        {"2026-03-01T12:00:10Z", "2026-03-05T12:00:00Z", `{"disable_skew_correction":1}`, "2026-03-05T12:00:00Z"},
		"not kept":              {"2026-03-01T12:00:10Z", "2026-03-01T11:00:00Z", `{"disable_skew_correction":"False"}`, "2026-03-01T10:59:50Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := deliveringServers(t, fmt.Sprintf(captureFixtures, "null"))[service.Hosted]
			c := sdkV1(t, srv).with("PostHog-Request-Timestamp", row.sentAt)
			c.post(analyticsEvents, batchV1(eventV1("e", firstEvent, "ann", `,"timestamp":"`+row.at+`","options":`+row.options))).is(http.StatusOK)
			assert.Equal(t, row.want, sentEventsV1(srv)[0].At.UTC().Format(time.RFC3339Nano))
		})
	}
}

// TestCaptureV1MovesMembersIntoProperties expects members of capture v1 in the properties, as on other paths.
func TestCaptureV1MovesMembersIntoProperties(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "null")) {
		sdkV1(t, srv).post(analyticsEvents, batchV1(eventV1("e", firstEvent, " ann ", `,"session_id":"s","window_id":"w",
			"options":{"process_person_profile":true,"cookieless_mode":false,"disable_skew_correction":true,"product_tour_id":7,"more":1},
			"properties":{"a":1,"$lib":"mine","$set":{"plan":"pro"},"$set_once":{"first":"x"}},"$set":{"plan":"none"}`))).is(http.StatusOK)

		event := sentEventsV1(srv)[0]
		assert.Equal(t, "ann", event.DistinctID)
		assert.JSONEq(t, `{"a":1,"$lib":"posthog-test","$lib_version":"1.2.3","$session_id":"s","$window_id":"w","$process_person_profile":true,
			"$cookieless_mode":false,"$ignore_sent_at":true,"$product_tour_id":"7","$set":{"plan":"pro"},"$set_once":{"first":"x"}}`, event.Properties.Spelling())
		assert.Contains(t, srv.Dump(), `"properties":{"first":"x","plan":"pro"}`, "the person")
	}
}

// TestCaptureV1CreatesNoPerson expects that the server stores events without a person if an SDK requests
// this, or if many persons would share the distinct ID.
func TestCaptureV1CreatesNoPerson(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "null")) {
		set := `,"properties":{"$set":{"plan":"pro"}}`
		sdkV1(t, srv).post(aiEvents, batchV1(
			eventV1("e", firstEvent, "ann", set+`,"options":{"process_person_profile":false}`), eventV1("e", secondEvent, "guest", set),
		)).is(http.StatusOK)
		assert.Len(t, sentEventsV1(srv), 2)
		assert.NotContains(t, srv.Dump(), `"plan":"pro"}}`)
		assert.NotContains(t, srv.Dump(), `"distinct_ids"`)
	}
}
