package testserver_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Everything that asks the API is written down, whoever answered it.
func TestJournal(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	c.post(surveys, "{ \"name\": \"<S>\",\n \"type\": \"api\", \"n\": 9007199254740993 }").is(http.StatusCreated)
	c.get(surveys + "?limit=5&search=a%20b").is(http.StatusOK)
	c.with("Authorization", "Bearer phx_secret").post(surveys, "not json").is(http.StatusUnauthorized)
	c.get("/nowhere").is(http.StatusNotFound)
	c.put(apps, `[1]`).is(http.StatusMethodNotAllowed)
	srv.SetFaults(testserver.Fault{Status: 503})
	c.patch(apps+"1/", "").is(http.StatusServiceUnavailable)
	srv.SetClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.FixedZone("", 3600)))
	c.delete(apps + "1/").is(http.StatusServiceUnavailable)

	at := time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC)
	none := json.RawMessage(`null`)
	want := []testserver.Request{
		{Time: at, Method: "POST", Path: surveys, Operation: "surveys_create", Status: 201, Body: json.RawMessage(`{"name":"<S>","type":"api","n":9007199254740993}`)},
		{Time: at, Method: "GET", Path: surveys, Query: "limit=5&search=a%20b", Operation: "surveys_list", Status: 200, Body: none},
		{Time: at, Method: "POST", Path: surveys, Operation: "surveys_create", Status: 401, Body: json.RawMessage(`"not json"`)},
		{Time: at, Method: "GET", Path: "/nowhere", Status: 404, Body: none},
		{Time: at, Method: "PUT", Path: apps, Status: 405, Body: json.RawMessage(`[1]`)},
		{Time: at, Method: "PATCH", Path: apps + "1/", Operation: "pipeline_import_apps_partial_update", Status: 503, Body: none},
		{Time: time.Date(2029, 12, 31, 23, 0, 0, 0, time.UTC), Method: "DELETE", Path: apps + "1/", Operation: "pipeline_import_apps_destroy", Status: 503, Body: none},
	}
	journal := srv.Journal()
	assert.Equal(t, want, withoutAnswers(journal))

	// Over HTTP it is the same, and control requests are not in it.
	over := c.get(control + "requests").is(http.StatusOK)
	var got []testserver.Request
	require.NoError(t, json.Unmarshal([]byte(over.body), &got))
	assert.Equal(t, journal, got)
	assert.NotContains(t, over.body, "phx_")
	srv.SetFixtures(`{}`)
	srv.Reset()
	assert.Len(t, srv.Journal(), len(want), "fixtures and reset leave the journal")

	c.delete(control + "requests").is(http.StatusNoContent)
	assert.Empty(t, srv.Journal())
	assert.Equal(t, "[]\n", c.get(control+"requests").body)
	c.get(surveys).is(http.StatusServiceUnavailable)
	assert.Len(t, srv.Journal(), 1, "and the faults")
	srv.ResetJournal()
	assert.Empty(t, srv.Journal())
}

// withoutAnswers keeps of a journal what is known of each request at its arrival.
func withoutAnswers(journal []testserver.Request) []testserver.Request {
	var requests []testserver.Request
	for _, r := range journal {
		requests = append(requests, testserver.Request{
			Time: r.Time, Method: r.Method, Path: r.Path, Query: r.Query, Operation: r.Operation, Status: r.Status, Body: r.Body,
		})
	}
	return requests
}

func TestControlPaths(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).with("Authorization", "")
	c.get(control+"nothing").fails(http.StatusNotFound, "not_found", "", "The control interface has clock, events, faults, fixtures, health, openapi.yaml, people, removed, report, requests, reset, surveys/{id}/people and worlds.")
	a := c.get(control + "reset")
	a.fails(http.StatusMethodNotAllowed, "method_not_allowed", "", `Method "GET" not allowed.`)
	assert.Equal(t, "POST", a.header.Get("Allow"))
	c.post(control+"fixtures", `{}`).is(http.StatusMethodNotAllowed)
	for body, complaint := range map[string]string{
		`{`:                `clock: the body must be {"clock": "2026-01-31T12:00:00Z"}, it is not JSON`,
		`{}`:               `clock: needs the key "clock"`,
		`{"clok":1}`:       `clock: clok: unknown key, did you mean "clock"?`,
		`{"clock":5}`:      `clock: clock: must be a string, is a number`,
		`{"clock":"noon"}`: `clock: clock: must be a date-time of RFC 3339 as 2026-01-31T12:00:00Z, is "noon"`,
	} {
		c.put(control+"clock", body).fails(http.StatusBadRequest, "invalid_input", "", complaint)
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)

	created := func(name string) (answer, string) {
		a := c.post(surveys, `{"name":"`+name+`","type":"api"}`).is(http.StatusCreated)
		return a, a.raw("created_at")
	}

	_, at := created("start")
	assert.Equal(t, `"2026-01-02T03:04:05.678901Z"`, at)

	c.put(control+"clock", `{"clock":"2026-03-01T12:00:00+02:00"}`).is(http.StatusNoContent)
	a, at := created("set")
	assert.Equal(t, `"2026-03-01T10:00:00Z"`, at)
	assert.Equal(t, "Sun, 01 Mar 2026 10:00:00 GMT", a.header.Get("Date"))
	assert.Equal(t, "Sun, 01 Mar 2026 10:00:00 GMT", c.get(control+"requests").header.Get("Date"))

	srv.SetClock(time.Date(2026, 4, 1, 0, 0, 0, 1500, time.UTC))
	_, at = created("again")
	assert.Equal(t, `"2026-04-01T00:00:00.000001Z"`, at)

	c.put(control+"clock", `{"clock":null}`).is(http.StatusNoContent)
	_, at = created("running")
	assert.Equal(t, `"2026-01-02T03:04:05.678901Z"`, at)

	assert.Equal(t, []string{"again", "set", "running", "start"}, c.get(surveys).names())
}
