package testserver_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// named sends a request with a Host header.
func (c caller) named(host, method, path, body string) answer {
	c.t.Helper()
	r, err := http.NewRequest(method, c.url+path, strings.NewReader(body))
	require.NoError(c.t, err)
	r.Header, r.Host = c.header, host
	response, err := c.http.Do(r)
	require.NoError(c.t, err)
	defer response.Body.Close()
	var read strings.Builder
	require.NoError(c.t, response.Write(&read))
	return answer{c.t, response.StatusCode, response.Header, read.String()}
}

// everywhere contains requests that read or change something in each part of the server.
var everywhere = []struct{ method, path, body string }{
	{http.MethodGet, surveys, ""},
	{http.MethodPost, surveys, `{"name":"S","type":"popover"}`},
	{http.MethodGet, "/api/schema/", ""},
	{http.MethodGet, "/elsewhere", ""},
	{http.MethodGet, control + "fixtures", ""},
	{http.MethodPut, control + "fixtures", `{}`},
	{http.MethodGet, control + "requests", ""},
	{http.MethodGet, control + "health", ""},
	{http.MethodPost, control + "reset", ""},
	{http.MethodGet, control + "worlds", ""},
	{http.MethodGet, "/", ""},
	{http.MethodGet, control + "page/page.js", ""},
	{http.MethodPost, control + "page/clock", "set=1h"},
}

// A website whose name is rebound to the loopback interface can neither read nor change anything.
func TestHostOfAnotherSite(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Worlds: true})
	c := call(t, srv)
	before := srv.Dump()

	for _, site := range []string{"evil.example"} {
		for _, request := range everywhere {
			// After DNS rebinding, the browser treats the page as the same origin.
			own := c.with("Origin", "http://"+site).with("Sec-Fetch-Site", "same-origin")
			a := own.named(site, request.method, request.path, request.body)
			assert.Equal(t, http.StatusMisdirectedRequest, a.status, "%s %s", site, request.path)
			assert.Contains(t, a.body, "-host NAME", request.path)
			assert.NotContains(t, a.body, srv.OrganizationID, request.path)
		}
	}

	assert.Empty(t, srv.Journal())
	assert.Equal(t, before, srv.Dump())
}

func TestHostsOfTheOptions(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Hosts: []string{"posthog.test"}})
	c := call(t, srv)
	assert.Equal(t, http.StatusOK, c.named("posthog.test", http.MethodGet, surveys, "").status)
	assert.Equal(t, http.StatusMisdirectedRequest, c.named("other.test", http.MethodGet, surveys, "").status)
}

// Requests from a page of another website have no effect, not even on the journal, on counters of faults, or on
// worlds.
func TestOriginOfAnotherSite(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Worlds: true})
	srv.SetFaults(testserver.Fault{To: 1, Status: http.StatusServiceUnavailable})
	c := call(t, srv).with("Authorization", "").with("Content-Type", "application/x-www-form-urlencoded")
	before := srv.Dump()

	for _, header := range []map[string]string{
		{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
		{"Origin": "https://evil.example"},
	} {
		evil := c
		for name, value := range header {
			evil = evil.with(name, value)
		}
		for _, request := range everywhere {
			a := evil.do(request.method, request.path, request.body)
			assert.Equal(t, http.StatusForbidden, a.status, "%v %s", header, request.path)
		}
		evil.post(surveys, "personal_api_key=phx_test&name=x&type=popover").is(http.StatusForbidden)
		evil.get(surveys + "?personal_api_key=phx_test_a").is(http.StatusForbidden)
		evil.get(control + "requests?world=a").is(http.StatusForbidden)
	}

	assert.Empty(t, srv.Journal())
	assert.Empty(t, srv.Server.Worlds())
	assert.Equal(t, before, srv.Dump())
	assert.Zero(t, srv.Server.Faults()[0].Matches)
}

// The server serves its own page, programs, and URLs that the user types into the address bar.
func TestOriginOfTheOwner(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).undocumentedAnswers()
	for _, header := range []map[string]string{
		{},
		{"Origin": srv.URL},
		{"Origin": srv.URL, "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate"},
		{"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"},
	} {
		own := c
		for name, value := range header {
			own = own.with(name, value)
		}
		own.get("/").is(http.StatusOK)
		own.get(surveys).is(http.StatusOK)
		own.post(control+"reset", "").is(http.StatusNoContent)
		own.with("Content-Type", "application/x-www-form-urlencoded").post(control+"page/clock", "set=run").is(http.StatusOK)
	}
}

// After a panic, the server responds with PostHog's error for status 500, logs the stack, and serves the next
// request.
func TestBrokenRequest(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()

			var log brokenRequests
			ids, broken := testserver.CountingIDs(), false
			srv := testserver.Start(t, testserver.Options{Profile: profile, Logger: log.logger(), IDs: func() uuid.UUID {
				if broken {
					panic("no more ids")
				}
				return ids()
			}})
			c := call(t, srv)

			broken = true
			a := c.post(surveys, `{"name":"S","type":"api"}`)
			a.fails(http.StatusInternalServerError, "error", "", "A server error occurred.")
			assert.Equal(t, profile == testserver.Hosted, a.raw("error_event_id") != "", "C45 only the hosted profile must add error_event_id")
			assert.Contains(t, log.String(), "no more ids")
			assert.Contains(t, log.String(), "createSurvey")

			broken = false
			c.get(surveys).is(http.StatusOK)
			c.post(surveys, `{"name":"S","type":"api"}`).is(http.StatusCreated)
		})
	}
}

// A panic that aborts the connection does not become a response.
func TestAbortIsNotRecovered(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	srv.SetFaults(testserver.Fault{Drop: "before"})
	assert.PanicsWithValue(t, http.ErrAbortHandler, func() {
		srv.Server.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, surveys, http.NoBody))
	})
}
