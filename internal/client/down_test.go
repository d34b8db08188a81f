package client

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// down is a service that fails until it is mended.
type down struct {
	failing  atomic.Bool
	requests atomic.Int64
	header   http.Header
	status   int
}

func (d *down) serve(*http.Request) (*http.Response, error) {
	d.requests.Add(1)
	if !d.failing.Load() {
		return answered(200, map[string]any{"id": surveyID}), nil
	}
	failure := answered(d.status, map[string]any{"detail": "Down."})
	if d.header != nil {
		failure.Header = d.header
	}
	return failure, nil
}

func (d *down) client(t *testing.T) *Client {
	t.Helper()
	c, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey, SingleReads: true, Transport: memory(d.serve)})
	require.NoError(t, err)
	return c
}

// refreshAll reads a hundred surveys, ten at a time, as Terraform does, and returns the errors.
func refreshAll(t *testing.T, c *Client) []error {
	t.Helper()

	var mu sync.Mutex
	var errs []error
	var wg sync.WaitGroup

	for range 10 {
		wg.Go(func() {
			for range 10 {
				ctx, cancel := WithBudget(t.Context(), Budget{Operation: "read", Length: 20 * time.Minute})
				_, err := c.Surveys("1").Read(ctx, surveyID)
				cancel()

				if err != nil {
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
				}
			}
		})
	}

	wg.Wait()
	return errs
}

// A service that fails from the first request on is given up after a minute, once
// for all objects, whatever it fails with.
func TestB5ServiceThatIsDownIsGivenUp(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]*down{
		"500": {status: 500}, "502": {status: 502}, "503": {status: 503}, "504": {status: 504},
		"503 with a pause": {status: 503, header: http.Header{"Retry-After": {"5"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d.failing.Store(true)
				c, start := d.client(t), time.Now()
				errs := refreshAll(t, c)
				assert.Len(t, errs, 100)
				assert.InDelta(t, failuresEnd.Seconds(), time.Since(start).Seconds(), 35)
				assert.Less(t, d.requests.Load(), int64(400))
				for _, err := range errs {
					var unavailable *UnavailableError
					require.ErrorAs(t, err, &unavailable)
					assert.Regexp(t, `the service failed all \d+ requests of this run, for 1m.*Down`, err.Error())
				}

				// The run goes on with what comes later, should the service be back.
				d.failing.Store(false)
				time.Sleep(breakerPause)
				assert.Empty(t, refreshAll(t, c))
			})
		})
	}
}

// One that has answered well before is waited for.
func TestB5ServiceThatWasUpIsWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &down{status: 503}
		c := d.client(t)
		_, err := c.Surveys("1").Read(t.Context(), surveyID)
		require.NoError(t, err)
		d.failing.Store(true)
		time.AfterFunc(15*time.Minute, func() { d.failing.Store(false) })
		assert.Empty(t, refreshAll(t, c))
	})
}

// A create is not sent to a service that was given up, and so is not left open.
func TestB5CreateIsNotSentToAServiceThatIsDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &down{status: 503}
		d.failing.Store(true)
		c := d.client(t)
		refreshAll(t, c)
		before := d.requests.Load()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := c.Surveys("1").CreateOnce(ctx, surveyBody)
		var ambiguous *AmbiguousCreateError
		assert.NotErrorAs(t, err, &ambiguous)
		assert.ErrorContains(t, err, "POST /api/projects/1/surveys/ (surveys_create): not sent: the service failed all ")
		assert.Equal(t, before, d.requests.Load())
	})
}
