package testserver_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A request that breaks the server's code is answered with the service's 500, its stack
// is in the log, and the server serves the next one.
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
			assert.Equal(t, profile == testserver.Hosted, a.raw("error_event_id") != "", "C45 the hosted service notes it")
			assert.Contains(t, log.String(), "no more ids")
			assert.Contains(t, log.String(), "createSurvey")

			broken = false
			c.get(surveys).is(http.StatusOK)
			c.post(surveys, `{"name":"S","type":"api"}`).is(http.StatusCreated)
		})
	}
}

// A connection that is to break does not become an answer.
func TestAbortIsNotRecovered(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	srv.SetFaults(testserver.Fault{Drop: "before"})
	assert.PanicsWithValue(t, http.ErrAbortHandler, func() {
		srv.Server.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, surveys, http.NoBody))
	})
}
