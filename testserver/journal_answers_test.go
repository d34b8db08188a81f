package testserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// ticking is a clock that goes on by a millisecond each time it is read.
func ticking() func() time.Time {
	var reads atomic.Int64
	return func() time.Time {
		return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(time.Duration(reads.Add(1)) * time.Millisecond)
	}
}

// An entry has both sides of the exchange, and no key.
func TestJournalAnswers(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Clock: ticking()})
	c := call(t, srv).with("X-Own", "yes").with("Cookie", "session=secret")
	created := c.post(surveys, `{"name":"S","type":"api"}`).is(http.StatusCreated)
	c.delete(surveys + created.object()["id"].(string) + "/").is(http.StatusNoContent)
	c.with("Authorization", "").get(surveys + "?limit=1&personal_api_key=phx_test").is(http.StatusUnauthorized)
	c.with("Authorization", "").post(surveys, `{"name":"T","type":"api","personal_api_key":"phx_test"}`).is(http.StatusUnauthorized)
	c.with("Authorization", "phx_test").get(surveys).is(http.StatusUnauthorized)

	journal := srv.Journal()
	require.Len(t, journal, 5)
	first := journal[0]
	assert.Equal(t, int64(1), first.Sequence)
	assert.Positive(t, first.DurationMS)
	assert.Equal(t, []string{"Bearer [redacted]"}, first.Headers["Authorization"])
	assert.Equal(t, []string{"[redacted]"}, first.Headers["Cookie"])
	assert.Equal(t, []string{"[redacted]"}, first.Headers["X-Own"], "nobody knows what is in it")
	assert.Equal(t, []string{"application/json"}, first.Headers["Content-Type"])
	assert.Equal(t, 25, first.BodySize)
	assert.Empty(t, first.Faults)

	require.NotNil(t, first.Answer)
	assert.JSONEq(t, created.body, string(first.Answer.Body))
	assert.Equal(t, len(created.body), first.Answer.Size)
	assert.False(t, first.Answer.Omitted)
	for _, name := range []string{"Content-Type", "Date", "X-Request-Id"} {
		assert.Equal(t, created.header[name], first.Answer.Headers[name], name)
	}

	assert.Equal(t, `null`, string(journal[1].Answer.Body))
	assert.Zero(t, journal[1].Answer.Size)
	assert.Equal(t, "limit=1&personal_api_key=%5Bredacted%5D", journal[2].Query)
	assert.JSONEq(t, `{"name":"T","type":"api","personal_api_key":"[redacted]"}`, string(journal[3].Body))
	assert.Equal(t, []string{"[redacted]"}, journal[4].Headers["Authorization"])

	all := c.get(control + "requests").is(http.StatusOK).body
	assert.NotContains(t, all, "phx_test")
	assert.NotContains(t, all, "secret")
}

// The entry names the rules that changed what happened, and shows what they left.
func TestJournalFaults(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).undocumentedAnswers()
	srv.SetFaults(
		testserver.Fault{Operation: "surveys_list", To: 1, Status: 503, RetryAfter: "7"},
		testserver.Fault{Operation: "surveys_list", From: 2, To: 2, CutBody: new(4)},
		testserver.Fault{Operation: "surveys_create", Drop: "after"},
		testserver.Fault{Path: apps, Throttle: &testserver.Throttle{Requests: 1, PerSeconds: 60}},
		testserver.Fault{Method: "DELETE", Status: 500},
	)

	c.get(surveys).is(http.StatusServiceUnavailable)
	_, err := c.try(http.MethodGet, surveys, "")
	require.Error(t, err)
	_, err = c.try(http.MethodPost, surveys, `{"name":"S","type":"api"}`)
	require.Error(t, err)
	c.get(apps).is(http.StatusOK)
	c.get(apps).is(http.StatusTooManyRequests)

	journal := srv.Journal()
	require.Len(t, journal, 5)
	assert.Equal(t, `{"operation":"surveys_list","to":1,"status":503,"retry_after":"7"}`, string(journal[0].Faults[0]))
	assert.Equal(t, []string{"7"}, journal[0].Answer.Headers["Retry-After"])
	assert.Equal(t, `"{\"co"`, string(journal[1].Answer.Body), "what was sent of the answer")
	assert.Equal(t, 4, journal[1].Answer.Size)
	assert.Nil(t, journal[2].Answer)
	assert.Zero(t, journal[2].Status)
	assert.Equal(t, `{"operation":"surveys_create","drop":"after"}`, string(journal[2].Faults[0]))
	assert.Empty(t, journal[3].Faults, "the limit let it through")
	assert.Len(t, journal[4].Faults, 1)

	var counted []string
	for _, f := range srv.Server.Faults() {
		counted = append(counted, fmt.Sprint(f.Matches, f.Hits))
	}
	assert.Equal(t, []string{"2 1", "2 1", "1 1", "2 1", "0 0"}, counted)

	var over []testserver.FaultState
	require.NoError(t, json.Unmarshal([]byte(c.get(control+"faults").is(http.StatusOK).body), &over))
	assert.Equal(t, srv.Server.Faults(), over)
}

// Those who watch the journal get each request when it arrives and when it ends.
func TestJournalSince(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	srv := testserver.Start(t, testserver.Options{Sleep: func(context.Context, time.Duration) { <-release }})
	c := call(t, srv)
	c.get(surveys).is(http.StatusOK)
	c.get(apps).is(http.StatusOK)

	start := srv.Server.JournalSince(0, 0)
	assert.Len(t, start.Requests, 2)
	assert.Equal(t, "pipeline_import_apps_list", srv.Server.JournalSince(0, 1).Requests[0].Operation, "the newest")
	assert.Empty(t, srv.Server.JournalSince(start.Revision, 0).Requests)

	srv.SetFaults(testserver.Fault{DelayMS: 1})
	var client sync.WaitGroup
	client.Go(func() { c.get(surveys).is(http.StatusOK) })
	require.NoError(t, srv.Server.WaitJournal(t.Context(), start.Revision))
	arrived := srv.Server.JournalSince(start.Revision, 0)
	require.Len(t, arrived.Requests, 1)
	assert.Equal(t, int64(3), arrived.Requests[0].Sequence)
	assert.Nil(t, arrived.Requests[0].Answer)

	close(release)
	require.NoError(t, srv.Server.WaitJournal(t.Context(), arrived.Revision))
	client.Wait()
	ended := srv.Server.JournalSince(arrived.Revision, 0)
	require.Len(t, ended.Requests, 1)
	assert.Equal(t, int64(3), ended.Requests[0].Sequence)
	assert.Equal(t, http.StatusOK, ended.Requests[0].Status)
	assert.False(t, ended.Cleared)

	entry, ok := srv.Server.JournalEntry(3)
	assert.True(t, ok)
	assert.Equal(t, ended.Requests[0], entry)

	stopped, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, srv.Server.WaitJournal(stopped, ended.Revision), context.Canceled)

	srv.ResetJournal()
	after := srv.Server.JournalSince(ended.Revision, 0)
	assert.True(t, after.Cleared)
	assert.Empty(t, after.Requests)
	for _, sequence := range []int64{0, 3, 4} {
		_, ok = srv.Server.JournalEntry(sequence)
		assert.False(t, ok)
	}
	c.get(surveys).is(http.StatusOK)
	assert.Equal(t, int64(4), srv.Journal()[0].Sequence)
}

// send makes a request without a network in between.
func send(server http.Handler, method, path, body string) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+testserver.DefaultAPIKey)
	r.Header.Set("Content-Type", "application/json")
	server.ServeHTTP(&sink{header: http.Header{}}, r)
}

// A server that runs for weeks keeps the newest requests, and of older ones their sizes.
//
//nolint:paralleltest // it measures the heap of the process
func TestJournalIsBounded(t *testing.T) {
	server, err := testserver.New(testserver.Options{})
	require.NoError(t, err)

	// 40 bodies of a MiB are more than is kept.
	large := `{"name":"` + strings.Repeat("x", 1<<20) + `"}`
	for range 40 {
		send(server, http.MethodPost, surveys, large)
	}
	journal := server.Journal()
	require.Len(t, journal, 40)
	assert.True(t, journal[0].BodyOmitted)
	assert.Equal(t, `null`, string(journal[0].Body))
	assert.Equal(t, len(large), journal[0].BodySize)
	assert.True(t, journal[0].Answer.Omitted)
	assert.Positive(t, journal[0].Answer.Size)
	assert.False(t, journal[39].BodyOmitted)
	assert.Equal(t, large, string(journal[39].Body))

	for range 20_000 {
		send(server, http.MethodGet, apps, "")
	}
	journal = server.Journal()
	require.Len(t, journal, 20_000)
	assert.Equal(t, int64(41), journal[0].Sequence)
	_, ok := server.JournalEntry(40)
	assert.False(t, ok)

	// What is left out is not held anywhere.
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	server.ResetJournal()
	runtime.GC()
	runtime.ReadMemStats(&after)
	assert.Less(t, int64(before.HeapAlloc)-int64(after.HeapAlloc), int64(64<<20))
}

// Large answers are sizes from the start: copying them would cost the client time.
func TestJournalLeavesOutLargeAnswers(t *testing.T) {
	t.Parallel()
	server := serveMany(t, 100)
	send(server, http.MethodGet, surveys+"?limit=100", "")
	send(server, http.MethodGet, surveys+"?limit=10", "")
	journal := server.Journal()
	assert.True(t, journal[0].Answer.Omitted)
	assert.Greater(t, journal[0].Answer.Size, 64<<10)
	assert.False(t, journal[1].Answer.Omitted)
	assert.NotEqual(t, `null`, string(journal[1].Answer.Body))
}
