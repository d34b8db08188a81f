package testserver_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const newSurvey = `{"name":"S","type":"api"}`

func TestFaultStatus(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).undocumentedAnswers()

	for _, row := range []struct {
		fault             testserver.Fault
		status            int
		contentType, body string
	}{
		{testserver.Fault{Status: 503}, 503, "application/json", `{"type":"server_error","code":"error","detail":"A server error occurred.","attr":null}`},
		{testserver.Fault{Status: 500, Body: map[string]any{"detail": "<no>"}}, 500, "application/json", `{"detail":"<no>"}`},
		{testserver.Fault{Status: 502, Body: "bad gateway"}, 502, "text/plain; charset=utf-8", `bad gateway`},
		{testserver.Fault{Status: 504, HTML: true}, 504, "text/html; charset=utf-8", "<!DOCTYPE html>"},
		{testserver.Fault{HTML: true}, 200, "text/html; charset=utf-8", "<!DOCTYPE html>"},
		{testserver.Fault{Status: 429}, 429, "application/json", `"Request was throttled."`},
		{testserver.Fault{Status: 200, Body: "{", Headers: map[string]string{"content-type": "application/json"}}, 200, "application/json", `{`},
		{testserver.Fault{Status: 204}, 204, "", ""},
		{testserver.Fault{Status: 401}, 401, "application/json", `"authentication_failed"`},
		{testserver.Fault{Status: 404}, 404, "application/json", `"Not found."`},
	} {
		srv.SetFaults(row.fault)
		a := c.post(surveys, newSurvey).is(row.status)
		assert.Equal(t, row.contentType, a.header.Get("Content-Type"))
		assert.Contains(t, a.body, row.body)
	}

	srv.SetFaults()
	assert.Empty(t, c.get(surveys).names(), "a request that a fault responds to must not be processed")
}

func TestFaultRetryAfter(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	srv.SetFaults(testserver.Fault{RetryAfter: "7"})
	a := c.get(surveys).is(http.StatusTooManyRequests)
	a.fails(http.StatusTooManyRequests, "throttled", "", "Request was throttled. Expected available in 7 seconds.")
	assert.Equal(t, "7", a.header.Get("Retry-After"))
	date := "Fri, 02 Jan 2026 03:05:05 GMT"
	srv.SetFaults(testserver.Fault{RetryAfter: date, Status: 503})
	assert.Equal(t, date, c.get(surveys).is(http.StatusServiceUnavailable).header.Get("Retry-After"))
	srv.SetFaults(testserver.Fault{RetryAfter: date})
	c.get(surveys).fails(http.StatusTooManyRequests, "throttled", "", "Request was throttled.")
}

// Matchers select requests, and from and to select a range of the matching requests.
func TestFaultMatchers(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)

	statuses := func() []int {
		var got []int
		for _, r := range [][2]string{{"GET", surveys}, {"POST", surveys}, {"GET", apps}, {"GET", "/nowhere"}, {"GET", surveys}, {"GET", surveys}} {
			body := ""
			if r[0] == "POST" {
				body = newSurvey
			}
			got = append(got, c.do(r[0], r[1], body).status)
		}

		srv.Reset()
		return got
	}

	for _, row := range []struct {
		name  string
		rules []testserver.Fault
		want  []int
	}{
		{"none", nil, []int{200, 201, 200, 404, 200, 200}},
		{"all", []testserver.Fault{{Status: 500}}, []int{500, 500, 500, 500, 500, 500}},
		{"operation", []testserver.Fault{{Operation: "surveys_list", Status: 500}}, []int{500, 201, 200, 404, 500, 500}},
		{"method", []testserver.Fault{{Method: "POST", Status: 500}}, []int{200, 500, 200, 404, 200, 200}},
		{"path", []testserver.Fault{{Path: "/nowhere", Status: 500}}, []int{200, 201, 200, 500, 200, 200}},
		{"exact path", []testserver.Fault{{Path: surveys[:len(surveys)-1], Status: 500}}, []int{200, 201, 200, 404, 200, 200}},
		{"all matchers", []testserver.Fault{{Operation: "surveys_list", Method: "GET", Path: surveys, To: 1, Status: 500}}, []int{500, 201, 200, 404, 200, 200}},
		{"from", []testserver.Fault{{Operation: "surveys_list", From: 2, Status: 500}}, []int{200, 201, 200, 404, 500, 500}},
		{"to", []testserver.Fault{{Operation: "surveys_list", To: 2, Status: 500}}, []int{500, 201, 200, 404, 500, 200}},
		{"from and to", []testserver.Fault{{Operation: "surveys_list", From: 2, To: 2, Status: 500}}, []int{200, 201, 200, 404, 500, 200}},
		{"one after the other", []testserver.Fault{{Operation: "surveys_list", To: 1, Status: 500}, {Operation: "surveys_list", From: 2, To: 2, Status: 502}}, []int{500, 201, 200, 404, 502, 200}},
		{"the first counts", []testserver.Fault{{Status: 500}, {Status: 502}}, []int{500, 500, 500, 500, 500, 500}},
	} {
		srv.SetFaults(row.rules...)
		assert.Equal(t, row.want, statuses(), row.name)
	}
}

// With "before", the server does not carry out the request. With "after", it does, but the client receives no
// response.
func TestFaultDrop(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	srv.SetFaults(testserver.Fault{Operation: "surveys_create", To: 1, Drop: "before"}, testserver.Fault{Operation: "surveys_create", From: 2, Drop: "after"})
	_, err := c.try(http.MethodPost, surveys, newSurvey)
	require.ErrorIs(t, err, io.EOF)
	assert.Empty(t, srv.Surveys("1"))
	_, err = c.try(http.MethodPost, surveys, newSurvey)
	require.ErrorIs(t, err, io.EOF)
	assert.Len(t, srv.Surveys("1"), 1)
	for _, r := range srv.Journal() {
		assert.Zero(t, r.Status, "a dropped request must not have a status")
	}
	assert.Len(t, srv.Journal(), 2)
}

func TestFaultCutBody(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	c.post(surveys, newSurvey).is(http.StatusCreated)
	whole := c.get(surveys).body
	for _, cut := range []int{0, 20, len(whole) - 1} {
		srv.SetFaults(testserver.Fault{Method: http.MethodGet, CutBody: &cut})
		a, err := c.try(http.MethodGet, surveys, "")
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		assert.Equal(t, whole[:cut], a.body)
		assert.Equal(t, http.StatusOK, a.status)
	}
	cut := 5
	srv.SetFaults(testserver.Fault{Method: http.MethodPost, CutBody: &cut})
	_, err := c.try(http.MethodPost, surveys, `{"name":"T","type":"api"}`)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Len(t, srv.Surveys("1"), 2, "a request whose response is cut must be processed")
}

// A delay uses the injected Sleep, before everything else.
func TestFaultDelay(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var slept []time.Duration
	srv := testserver.Start(t, testserver.Options{Sleep: func(_ context.Context, d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		slept = append(slept, d)
	}})
	c := call(t, srv)
	srv.SetFaults(testserver.Fault{DelayMS: 1500}, testserver.Fault{Method: "POST", DelayMS: 500}, testserver.Fault{Method: "POST", Status: 504})
	c.get(surveys).is(http.StatusOK)
	c.post(surveys, newSurvey).is(http.StatusGatewayTimeout)
	assert.Equal(t, []time.Duration{1500 * time.Millisecond, 2 * time.Second}, slept)
}

// The server carries out a request after the delay, even if the client disconnects. The journal contains the request
// as soon as it arrives.
func TestClientsThatGiveUp(t *testing.T) {
	t.Parallel()
	waiting, release := make(chan context.Context), make(chan struct{})
	srv := testserver.Start(t, testserver.Options{Sleep: func(ctx context.Context, _ time.Duration) {
		waiting <- ctx
		<-release
	}})

	c := call(t, srv)
	srv.SetFaults(testserver.Fault{Operation: "surveys_create", DelayMS: 3_600_000})

	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL+surveys, http.NoBody)
		if err == nil {
			r.Header = c.header
			_, err = c.http.Do(r) //nolint:bodyclose // it fails
		}
		failed <- err
	}()

	delay := <-waiting
	require.Len(t, srv.Journal(), 1)

	cancel()
	assert.ErrorIs(t, <-failed, context.Canceled)

	c.get(surveys).is(http.StatusOK) // and the server has noticed the disconnection
	assert.NoError(t, delay.Err())
	assert.Zero(t, srv.Journal()[0].Status)

	close(release)
	require.Eventually(t, func() bool { return srv.Journal()[0].Status == http.StatusBadRequest }, 10*time.Second, time.Millisecond)
}

func TestFaultsOverHTTP(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).with("Authorization", "").undocumentedAnswers()
	c.put(control+"faults", `{"rules":[{"operation":"surveys_list","from":1,"to":1,"status":503,"headers":{"X-Fault":"yes"},"body":{"n":9007199254740993}}]}`).is(http.StatusNoContent)
	a := c.get(surveys).is(http.StatusServiceUnavailable)
	assert.Equal(t, `{"n":9007199254740993}`, a.body)
	assert.Equal(t, "yes", a.header.Get("X-Fault"))
	c.get(surveys).is(http.StatusUnauthorized)
	c.put(control+"faults", `{"rules":[{"retry_after":7}]}`).is(http.StatusNoContent)
	assert.Equal(t, "7", c.get(surveys).is(http.StatusTooManyRequests).header.Get("Retry-After"))
	c.delete(control + "faults").is(http.StatusNoContent)
	c.get(surveys).is(http.StatusUnauthorized)
}

// TestWrongFaultsLeaveTheOthers sets one invalid rule. The tests of package faults cover the others.
func TestWrongFaultsLeaveTheOthers(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	srv.SetFaults(testserver.Fault{Status: 418})
	c.put(control+"faults", `{"rule":[]}`).fails(http.StatusBadRequest, "invalid_input", "", `faults: rule: unknown key, did you mean "rules"?`)
	require.ErrorContains(t, srv.Server.SetFaults(testserver.Fault{Drop: "later", From: -1}), "faults: rules[0].from: must be 1 or more, not -1")
	require.Error(t, srv.Server.SetFaults(testserver.Fault{Status: 500, Body: errors.New}))
	c.get(surveys).is(http.StatusTeapot)
}

// A throttle counts its rule's requests by the server's clock. The server does not carry out a refused request.
func TestFaultThrottle(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	srv := testserver.Start(t)
	c := call(t, srv)

	srv.SetClock(start)
	srv.SetFaults(testserver.Fault{Method: http.MethodPost, Throttle: &testserver.Throttle{Requests: 2, PerSeconds: 10}})

	create := func(name string) answer { return c.post(surveys, `{"name":"`+name+`","type":"api"}`) }
	create("a").is(http.StatusCreated)

	srv.SetClock(start.Add(7 * time.Second))
	create("b").is(http.StatusCreated)
	create("c").throttled("3 seconds")
	c.get(surveys).is(http.StatusOK)

	srv.SetClock(start.Add(9*time.Second + time.Millisecond))
	create("c").throttled("1 second")

	srv.SetClock(start.Add(10 * time.Second))
	create("c").is(http.StatusCreated)
	create("d").throttled("7 seconds")

	assert.Equal(t, []string{"c", "b", "a"}, c.get(surveys).names())

	srv.SetFaults(testserver.Fault{Throttle: &testserver.Throttle{Requests: 1, PerSeconds: 10}})
	create("d").is(http.StatusCreated)
	c.as("phx_none").get(surveys).throttled("10 seconds")
}

// However many requests arrive at the same time, no more than the allowed number pass.
func TestFaultThrottleUnderLoad(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	srv.SetFaults(testserver.Fault{Throttle: &testserver.Throttle{Requests: 5, PerSeconds: 60}})
	var mu sync.Mutex
	statuses := map[int]int{}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			a, err := c.try(http.MethodGet, surveys, "")
			assert.NoError(t, err)
			mu.Lock()
			defer mu.Unlock()
			statuses[a.status]++
		})
	}
	wg.Wait()
	assert.Equal(t, map[int]int{http.StatusOK: 5, http.StatusTooManyRequests: 15}, statuses)
}

// An edit is applied before the request is served, regardless of what the request does.
func TestFaultEdit(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t, testserver.Options{Profile: profile})
			c := call(t, srv)
			edit := func(value any) {
				srv.SetFaults(testserver.Fault{To: 1, Edit: testserver.Object{"description": value}})
			}
			srv.CreateSurvey(testserver.Object{"name": "older", "type": "api", "description": "old"})
			id, _ := srv.CreateSurvey(testserver.Object{"name": "newer", "type": "api", "description": "old"})["id"].(string)
			edit("by hand")
			assert.Equal(t, "by hand", c.get(surveys + id + "/").object()["description"])
			edit("by hand again")
			assert.Contains(t, c.get(surveys).body, "by hand again")
			edit("lost")
			c.patch(surveys+id+"/", `{"description":"sent"}`).is(http.StatusOK)
			assert.Equal(t, "sent", srv.Survey(id)["description"])
			edit(nil)
			assert.Empty(t, c.get(surveys + id + "/").object()["description"], "null must remove the value")
			edit("nobody's")
			c.get(surveys + "019b0000-0000-7000-8000-00000000dead/").is(http.StatusNotFound)
			edit("nobody's")
			c.with("Authorization", "").get(surveys + id + "/").is(http.StatusUnauthorized)
			assert.NotContains(t, srv.Dump(), "nobody's")
			assert.Equal(t, "old", srv.Surveys("1")[1]["description"])

			srv.CreateApp(testserver.Object{"name": "App", "capabilities": testserver.Object{"scheduled_tasks": []any{"runEveryMinute"}}})
			edit("an app")
			assert.Equal(t, "an app", c.get(apps + "1/").object()["description"])
			edit("an app in a list")
			assert.Contains(t, c.get(apps).body, "an app in a list")
			edit("nobody's")
			c.get(apps + "99/").is(http.StatusNotFound)
		})
	}
}

// The server responds with an error to an edit that it cannot apply.
func TestFaultEditThatDoesNotFit(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	srv.CreateSurvey(testserver.Object{"name": "S", "type": "api"})
	srv.CreateApp(testserver.Object{"name": "App"})
	srv.SetFaults(testserver.Fault{Edit: testserver.Object{"name": 5}})
	for _, path := range []string{surveys, apps, apps + "1/"} {
		a := c.get(path).is(http.StatusBadRequest)
		assert.Contains(t, a.object()["detail"], "faults: edit: ")
		assert.Contains(t, a.object()["detail"], "name: must be a string, not a number")
	}
	srv.Reset()
	c.get(surveys).is(http.StatusOK)
	c.post(surveys, newSurvey).is(http.StatusCreated)
}

// EmptyForNull changes only text fields. JSON from clients is unchanged.
func TestFaultEmptyForNull(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	c := call(t, srv)
	srv.SetFaults(testserver.Fault{EmptyForNull: true})
	created := c.post(apps, `{"plugin_type":"source","name":"App","capabilities":{"scheduled_tasks":[null]}}`).is(http.StatusCreated).object()
	for _, a := range []map[string]any{created, c.get(apps).is(http.StatusOK).object()["results"].([]any)[0].(map[string]any)} {
		assert.Empty(t, a["icon"])
		assert.NotNil(t, a["icon"])
		assert.NotNil(t, a["tag"])
		assert.Equal(t, map[string]any{"scheduled_tasks": []any{nil}}, a["capabilities"])
	}
	c.post(surveys, `{"name":"S","type":"api","questions":[{"type":"open","question":"Why?","description":null}]}`).is(http.StatusCreated)
	found := c.get(surveys).object()["results"].([]any)[0].(map[string]any)
	assert.Nil(t, found["start_date"], "an empty string must be stored as null for a date")
	assert.Contains(t, c.get(surveys).body, `"next":null`)
	c.get(surveys+"nothing/").fails(http.StatusNotFound, "not_found", "", "Not found.")
	srv.SetFaults()
	require.Contains(t, c.get(apps).body, `"icon":null`, "the fault must not change the stored app")
}

func TestFaultReorderKeys(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	const body = `{"name":"S","type":"api","appearance":{"a":9007199254740993,"b":[{"c":1.50,"d":"{\"e\":1}"}],"f":{}}}`
	c.post(surveys, body).is(http.StatusCreated)
	straight := c.get(surveys)
	srv.SetFaults(testserver.Fault{ReorderKeys: true})
	backwards := c.get(surveys)
	assert.JSONEq(t, straight.body, backwards.body)
	assert.Contains(t, straight.body, `{"a":9007199254740993,"b":[{"c":1.50,"d":"{\"e\":1}"}],"f":{}}`)
	assert.Contains(t, backwards.body, `{"f":{},"b":[{"d":"{\"e\":1}","c":1.50}],"a":9007199254740993}`)
	assert.Regexp(t, `^\{"results":\[\{.*,"id":"[^"]*"\}\],"previous":null,"next":null,"count":1\}$`, backwards.body)
	c.get(surveys+"nothing/").fails(http.StatusNotFound, "not_found", "", "Not found.")
	c.delete(surveys + straight.object()["results"].([]any)[0].(map[string]any)["id"].(string) + "/").is(http.StatusNoContent)
}
