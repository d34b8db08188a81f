package testserver_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const throttled = `{"organizations":[{"id":"` + testserver.DefaultOrganizationID + `","features":["api_rate_limits"]}],
"api_keys":[{"key":"phx_test"},{"key":"phx_two"},{"key":"phx_read","scopes":["plugin:read"]}]}`

// requests makes many of them with a key, past the network, and all must be answered
// with a status.
func requests(t *testing.T, srv *testserver.Instance, key string, n, status int) {
	t.Helper()
	for range n {
		r := httptest.NewRequest(http.MethodGet, surveys+"?limit=1", http.NoBody)
		r.Header.Set("Authorization", "Bearer "+key)
		w := httptest.NewRecorder()
		srv.Server.ServeHTTP(w, r)
		require.Equal(t, status, w.Code)
	}
}

func (a answer) throttled(wait string) {
	a.t.Helper()
	a.fails(http.StatusTooManyRequests, "throttled", "", "Request was throttled. Expected available in "+wait+".")
	assert.Equal(a.t, "throttled_error", a.object()["type"])
	seconds, _, _ := strings.Cut(wait, " ")
	assert.Equal(a.t, seconds, a.header.Get("Retry-After"), "C38 the seconds of the text")
}

func TestThrottling(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

	for name, o := range map[string]testserver.Options{
		"6 rate limits: fixture":            {Profile: testserver.Hosted, Fixtures: strings.NewReader(throttled)},
		"6 rate limits: option":             {Profile: testserver.Hosted, Throttle: true},
		"6 rate limits: documented profile": {Throttle: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t, o)
			c := call(t, srv)

			srv.SetClock(start)
			requests(t, srv, "phx_test", 479, http.StatusOK)
			srv.SetClock(start.Add(30*time.Second + time.Nanosecond))
			requests(t, srv, "phx_test", 1, http.StatusOK)
			c.get(surveys).throttled("30 seconds")
			c.post(surveys, `{"name":"n","type":"api"}`).throttled("30 seconds")

			srv.SetClock(start.Add(59*time.Second + 500*time.Millisecond))
			c.get(surveys).throttled("1 second")
			assert.Empty(t, srv.Surveys("1"), "what is throttled is not done")

			srv.SetClock(start.Add(time.Minute))
			requests(t, srv, "phx_test", 479, http.StatusOK)
			c.get(surveys).throttled("31 seconds")
		})
	}
}

func TestThrottlingByTheHour(t *testing.T) {
	t.Parallel()
	t.Run("6 rate limits: 4800 an hour", func(t *testing.T) {
		t.Parallel()
		srv, c := startHosted(t, throttled)
		start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

		for minute := range 10 {
			srv.SetClock(start.Add(time.Duration(minute) * time.Minute))
			requests(t, srv, "phx_test", 480, http.StatusOK)
		}

		srv.SetClock(start.Add(10 * time.Minute))
		c.get(surveys).throttled("3000 seconds")

		srv.SetClock(start.Add(time.Hour))
		requests(t, srv, "phx_test", 1, http.StatusOK)
	})
	t.Run("6 rate limits: what the minute refuses counts for the hour", func(t *testing.T) {
		t.Parallel()
		srv, c := startHosted(t, throttled)
		start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

		srv.SetClock(start)
		requests(t, srv, "phx_test", 480, http.StatusOK)
		requests(t, srv, "phx_test", 4320, http.StatusTooManyRequests)

		srv.SetClock(start.Add(time.Minute))
		c.get(surveys).throttled("3540 seconds")
	})
}

func TestThrottlingIsByKey(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, throttled)
	srv.SetClock(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))

	c.step(t, "6 rate limits: counted per key", func(t *testing.T, c caller) {
		requests(t, srv, "phx_test", 480, http.StatusOK)
		c.get(surveys).throttled("60 seconds")
		c.as("phx_two").get(surveys).is(http.StatusOK)
	})

	c.step(t, "6 rate limits: access comes first", func(t *testing.T, c caller) {
		requests(t, srv, "phx_read", 481, http.StatusForbidden)
		c.as("phx_read").get(apps).is(http.StatusOK)
		c.as("phx_none").get(surveys).is(http.StatusUnauthorized)
	})

	c.step(t, "6 rate limits: before the method and the object", func(t *testing.T, c caller) {
		c.patch(surveys, `{}`).throttled("60 seconds")
		c.get(surveys + "nothing/").throttled("60 seconds")
		c.get(surveys + "responses_count/").throttled("60 seconds")
	})

	c.step(t, "6 rate limits: a new store has seen nothing", func(t *testing.T, c caller) {
		srv.Reset()
		srv.SetClock(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
		requests(t, srv, "phx_test", 1, http.StatusOK)
	})

	c.step(t, "6 rate limits: off by itself", func(t *testing.T, c caller) {
		srv.SetFixtures("{}")
		requests(t, srv, "phx_test", 500, http.StatusOK)
	})
}
