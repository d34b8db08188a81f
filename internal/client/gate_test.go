package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// clock advances whenever a caller waits for it.
type clock struct {
	mu    sync.Mutex
	time  time.Time
	waits []time.Duration
}

// stop gives a client a clock that moves only when the client waits.
func stop(c *Client) *clock {
	k := &clock{time: time.Now()}
	c.gate.now, c.gate.sleep = k.now, k.sleep
	c.gate.jitter = func(time.Duration) time.Duration { return 0 }
	return k
}

func (k *clock) now() time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.time
}

func (k *clock) sleep(ctx context.Context, d time.Duration) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.waits = append(k.waits, d)
	k.time = k.time.Add(d)
	return ctx.Err()
}

func throttle(retryAfter string) http.HandlerFunc {
	return respondAs(429, "application/json",
		`{"type":"throttled_error","code":"throttled","detail":"Request was throttled.","attr":null}`, "Retry-After", retryAfter)
}

var found = respondJSON(200, `{"id":"`+surveyID+`"}`)

// After a 429, the client waits as long as PostHog asks, and sends the request again with its body.
func TestThrottled(t *testing.T) {
	t.Parallel()
	s := serve(t, throttle("7"),
		refuse(429, "throttled_error", "throttled", "Request was throttled. Expected available in 42 seconds."),
		respondAs(429, "text/html", "<title>Slow down</title>", "Retry-After", "3"),
		respondAs(429, "text/plain", "Request was throttled. Expected available in 5 seconds."),
		found)
	c := s.client()
	k := stop(c)
	_, err := c.Surveys("1").Create(t.Context(), surveyBody)
	require.NoError(t, err)
	assert.Equal(t, []time.Duration{7 * time.Second, 42 * time.Second, 3 * time.Second, 5 * time.Second}, k.waits)
	require.Len(t, s.requests(), 5)
	for _, r := range s.requests() {
		assert.JSONEq(t, `{"name":"NPS <2026>","description":null}`, r.body)
	}
}

// Every attempt sends the whole body, even if the transport consumed it.
func TestThrottledBody(t *testing.T) {
	t.Parallel()
	var bodies []string
	c, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey, Transport: memory(func(req *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(req.Body)
		bodies = append(bodies, string(body))
		status := []int{429, 429, 201}[len(bodies)-1]
		return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(`{"id":"` + surveyID + `"}`))}, err
	})})
	require.NoError(t, err)
	stop(c)
	_, err = c.Surveys("1").Create(t.Context(), surveyBody)
	require.NoError(t, err)
	assert.NotEmpty(t, bodies[0])
	assert.Equal(t, []string{bodies[0], bodies[0], bodies[0]}, bodies)
}

// Waits after a 429 without Retry-After become longer and longer.
func TestThrottledWithoutTime(t *testing.T) {
	t.Parallel()
	s := serve(t, throttle(""), throttle("0"), throttle("-7"), throttle("Mon, 02 Jan 2006 15:04:05 GMT"), found)
	c := s.client()
	k := stop(c)
	_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
	require.NoError(t, err)
	assert.Equal(t, []time.Duration{firstPause, 2 * firstPause, 4 * firstPause, 8 * firstPause}, k.waits)
	assert.Equal(t, longestPause, pauseAfter(1000, 0))
}

// A pause can't outlast the operation's deadline, or one hour if there is no deadline. Otherwise, the client returns
// the 429 immediately.
func TestThrottledTooLong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asked    string
		deadline time.Duration
	}{
		"deadline": {"120", time.Minute}, "none": {"3601", 0}, "more than a number holds": {"99999999999999999999", time.Minute},
		"centuries": {"99999999999", time.Minute}, "the last date": {"Fri, 31 Dec 9999 23:59:59 GMT", time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, throttle(c.asked))
			client := s.client()
			k := stop(client)
			client.gate.jitter = jitter

			ctx := t.Context()
			if c.deadline > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, c.deadline)
				defer cancel()
			}

			_, err := client.Surveys("1").Retrieve(ctx, surveyID)
			var held *HeldBackError
			require.ErrorAs(t, err, &held)
			assert.True(t, IsThrottled(err))
			assert.ErrorContains(t, err, "429 Too Many Requests: Request was throttled.")
			assert.Empty(t, k.waits)
		})
	}
}

// All object kinds of a client share the pause.
func TestPauseIsShared(t *testing.T) {
	t.Parallel()
	s := serve(t, throttle("120"), respondJSON(200, `{"id":1}`))
	c := s.client()
	k := stop(c)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := c.Surveys("1").Retrieve(ctx, surveyID)
	require.True(t, IsThrottled(err))

	_, err = c.PipelineImportApps(orgID).Retrieve(ctx, 1)
	var held *HeldBackError
	require.ErrorAs(t, err, &held, "the other request's 429 must hold back this request")
	assert.Equal(t, 2*time.Minute, held.Wait)
	assert.Len(t, s.requests(), 1)

	_, err = c.PipelineImportApps(orgID).Retrieve(t.Context(), 1)
	require.NoError(t, err)
	assert.Equal(t, []time.Duration{2 * time.Minute}, k.waits)
}

// requests_per_minute spaces the requests of all goroutines.
func TestPace(t *testing.T) {
	t.Parallel()
	const n = 20
	answers := make([]http.HandlerFunc, n)
	for i := range answers {
		answers[i] = found
	}
	s := serve(t, answers...)
	c := s.client(func(o *Options) { o.RequestsPerMinute = 120 })
	k := stop(c)

	started := k.now()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
			assert.NoError(t, err)
		})
	}
	wg.Wait()

	assert.GreaterOrEqual(t, k.now().Sub(started), (n-1)*500*time.Millisecond)
	for _, wait := range k.waits {
		assert.LessOrEqual(t, wait, 500*time.Millisecond)
	}
}

// With a real timer, many requests pass one by one, and none passes during a pause.
func TestPaceWithTimers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGate(Options{RequestsPerMinute: 60})
		started := time.Now()

		var mu sync.Mutex
		var passed []time.Duration
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				_, _, err := g.pass(t.Context(), &turn{}, time.Time{}, g.limit(t.Context(), call{}))
				assert.NoError(t, err)
				mu.Lock()
				defer mu.Unlock()
				passed = append(passed, time.Since(started))
			})
		}
		synctest.Wait()

		g.hold(10 * time.Second)
		g.hold(time.Second) // a shorter pause has no effect
		wg.Wait()
		assert.Equal(t, []time.Duration{0, 10 * time.Second, 11 * time.Second, 12 * time.Second}, passed)
	})
}

// An operation that already ended sends nothing.
func TestStoppedBefore(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.client().Surveys("1").Retrieve(ctx, surveyID)
	var held *HeldBackError
	require.ErrorAs(t, err, &held)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, s.requests())
}

// If the caller stops while its request waits, the caller gets an error that says so, and nothing is sent.
func TestStoppedWhileWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey, Transport: memory(func(req *http.Request) (*http.Response, error) {
			t.Errorf("unexpected request %s %s", req.Method, req.URL)
			return nil, errors.New("not this time")
		})})
		require.NoError(t, err)
		c.gate.hold(time.Minute)
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(errors.New("ctrl-c")) })
		_, err = c.Surveys("1").Retrieve(ctx, surveyID)
		assert.ErrorIs(t, err, context.Canceled)
		assert.ErrorContains(t, err, "not sent: the operation was stopped before its turn came")
	})
}
