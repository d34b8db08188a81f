package testserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// brokenRequests captures the server's log, which contains only requests that made the server panic.
type brokenRequests struct{ strings.Builder }

func (b *brokenRequests) logger() *slog.Logger { return slog.New(slog.NewTextHandler(b, nil)) }

// fuzzed is a server under fuzzing, in one of the profiles.
type fuzzed struct {
	*testserver.Server
	log *brokenRequests
}

func newFuzzed(t testing.TB, profile testserver.Profile) fuzzed {
	t.Helper()
	var log brokenRequests
	server, err := testserver.New(testserver.Options{Profile: profile, Logger: log.logger(), IDs: testserver.CountingIDs(), Worlds: true})
	require.NoError(t, err)
	return fuzzed{server, &log}
}

// serve responds to a raw request. It returns false for bytes that are not an HTTP request.
func (f fuzzed) serve(t *testing.T, raw string) (*httptest.ResponseRecorder, bool) {
	t.Helper()
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
	if err != nil {
		return nil, false
	}
	// A client that waits for an event has disconnected.
	gone, leave := context.WithCancel(t.Context())
	leave()
	r = r.WithContext(gone)
	r.Body = unlockedBody{r.Body, t, f}
	w := httptest.NewRecorder()

	before := allocated()
	f.ServeHTTP(unlockedWriter{w, t, f}, r)
	require.Less(t, allocated()-before, mostMemory+1000*uint64(len(raw)), "%q", raw)
	require.True(t, f.LocksFree(), "a lock is still held after %q", raw)
	require.Empty(t, f.log.String(), "the server panicked: %q", raw)
	body := w.Body.Bytes()
	if len(body) > 0 && w.Header().Get("Content-Type") == "application/json" && r.Method != http.MethodHead {
		require.True(t, json.Valid(body), "the response to %q is %q", raw, body)
	}
	return w, true
}

// mostMemory is the maximum memory that the server may allocate for a request of the fuzzer's size.
const mostMemory = 64 << 20

// allocated returns the total memory that the process has allocated.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// unlockedBody is the body of a client that may stall at any time. Its reader must not hold a lock.
type unlockedBody struct {
	io.ReadCloser
	t      *testing.T
	server fuzzed
}

func (b unlockedBody) Read(p []byte) (int, error) {
	require.True(b.t, b.server.LocksFree(), "a lock is held while the server reads from the client")
	return b.ReadCloser.Read(p)
}

// unlockedWriter is the connection to a client that may stall at any time. Its writer must not hold a lock.
type unlockedWriter struct {
	*httptest.ResponseRecorder
	t      *testing.T
	server fuzzed
}

func (w unlockedWriter) Write(p []byte) (int, error) {
	require.True(w.t, w.server.LocksFree(), "a lock is held while the server writes to the client")
	return w.ResponseRecorder.Write(p)
}

// describe checks that the journal contains valid JSON.
func (f fuzzed) describe(t *testing.T) {
	t.Helper()
	for _, r := range f.Journal() {
		require.True(t, json.Valid(r.Body), "%s", r.Body)
	}
}

// FuzzRequests sends raw requests to both profiles. Every response must be one that PostHog could send, and never the
// response of a panic.
func FuzzRequests(f *testing.F) {
	servers := []fuzzed{newFuzzed(f, testserver.Documented), newFuzzed(f, testserver.Hosted)}
	survey := surveys + "019b0000-0000-7000-8000-0000000000aa/"

	for _, op := range api.AllOperations() {
		target := strings.NewReplacer("{project_id}", "1", "{organization_id}", "@current", "{id}", "1").Replace(op.Path)
		f.Add(op.Method, target, "application/json", []byte(`{"name":"S","type":"popover","key":"k","plugin_type":"source"}`))
	}

	f.Add("POST", surveys, "application/json", []byte(conformingSurvey))
	f.Add("PATCH", survey, "application/json", []byte(`{"questions":[{"question":"<b>a<svg>","type":"open"}],"targeting_flag_filters":`+tenPercent+`}`))
	f.Add("POST", surveys, "application/x-www-form-urlencoded", []byte("name=S&type=api"))
	f.Add("POST", surveys, "multipart/form-data; boundary=b", []byte("--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nS\r\n--b--\r\n"))
	f.Add("GET", surveys+"?personal_api_key=phx_test_world&personal%5fapi_key=x", "", []byte(nil))
	f.Add("PATCH", survey, "application/json", []byte(`{"questions":[{"a.b":{"":[1]}}],"personal_api_key":"phx_test"}`))
	f.Add("GET", surveys+"?search=survey&limit=5&offset=1&ids=a&type=api&archived=true", "", []byte(nil))
	f.Add("GET", surveys+"activity/?limit=x&page=99999999999999999999", "", []byte(nil))

	f.Fuzz(func(t *testing.T, method, target, contentType string, body []byte) {
		raw := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
			method, target, testserver.DefaultAPIKey, contentType, len(body), body)

		for _, server := range servers {
			server.Reset()
			server.ResetJournal()
			_, err := server.CreateSurvey(testserver.Object{
				"id": "019b0000-0000-7000-8000-0000000000aa", "name": "There", "type": "popover", "description": "A survey",
			})

			require.NoError(t, err)
			if _, ok := server.serve(t, raw); !ok {
				return
			}

			// Stored objects can be read, and the dump is a valid fixtures document.
			_, _ = server.serve(t, "GET "+surveys+" HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer "+testserver.DefaultAPIKey+"\r\n\r\n")
			var dump strings.Builder
			require.NoError(t, server.Dump(&dump))
			require.NoError(t, server.SetFixtures(strings.NewReader(dump.String())), "%q", raw)
			server.describe(t)
		}
	})
}

// FuzzControl sends raw requests to the control interface.
func FuzzControl(f *testing.F) {
	servers := []fuzzed{newFuzzed(f, testserver.Documented), newFuzzed(f, testserver.Hosted)}

	for _, name := range []string{
		"fixtures", "reset", "requests", "faults", "clock", "nothing", "health", "openapi.yaml",
		"page/faults", "page/clock", "page/reset", "page/journal?world=a", "page/page.js",
		"report", "report?format=json&world=a", "worlds", "people", "events?event=survey+sent", "events?wait=1ms", "worlds/a", "faults?world=a", "fixtures?world=%2F",
	} {
		for _, method := range []string{"GET", "PUT", "POST", "DELETE"} {
			f.Add(method, name, []byte(`{}`))
		}
	}

	for _, document := range []string{people, observed("[]", event(ran, "survey sent", "2026-02-02T00:00:00Z", by("ann", "")))} {
		f.Add("PUT", "fixtures", []byte(document))
	}

	f.Add("PUT", "clock", []byte(`{"clock":"2026-01-31T12:00:00Z"}`))
	f.Add("POST", "people", []byte(`{"project_id":1,"distinct_ids":["ann"],"properties":{"plan":"pro"}}`))
	f.Add("PUT", "clock", []byte(`{"clock":"9999-12-31T23:59:59-12:00"}`))
	f.Add("PUT", "fixtures", []byte(strings.Repeat(" ", 1<<20)+`{"clock":`+strings.Repeat("[", 5000)))
	f.Add("PUT", "faults", []byte(`{"rules":[{"edit":{"questions":`+strings.Repeat("[", 850)+strings.Repeat("]", 850)+`}}]}`))
	f.Add("PUT", "faults", []byte(`{"rules":[`+strings.Repeat(`{"status":500},`, 1000)+`{"status":500}]}`))
	f.Add("PUT", "faults", []byte(`[{"operation":"surveys_list","status":503,"retry_after":"1","to":2}]`))
	f.Add("PUT", "faults", []byte(`[{"edit":{"name":"x"},"from":2},{"cut_body":3},{"throttle":{"requests":1,"per_seconds":1}}]`))

	f.Fuzz(func(t *testing.T, method, name string, body []byte) {
		for _, server := range servers {
			if _, ok := server.serve(t, fmt.Sprintf("%s /_testserver/%s HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n%s", method, name, len(body), body)); !ok {
				return
			}

			// Whatever the store contains, the server still serves other requests.
			_, _ = server.serve(t, "GET / HTTP/1.1\r\nHost: h\r\n\r\n")
			require.NoError(t, server.SetFaults())
			for _, path := range []string{surveys, apps, control + "report", control + "requests"} {
				_, _ = server.serve(t, "GET "+path+" HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer "+testserver.DefaultAPIKey+"\r\n\r\n")
			}

			var dump strings.Builder
			require.NoError(t, server.Dump(&dump))
			require.NoError(t, server.SetFixtures(strings.NewReader(dump.String())))
			server.Reset()
			server.ResetJournal()
		}
	})
}
