package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// retryingClient returns a client with the production retry policy, on a clock that jumps.
func (s *service) retryingClient() (*Client, *clock) {
	c := s.client()
	c.retry = (*retryState).next
	return c, stop(c)
}

var failing = refuse(500, "server_error", "error", "A server error occurred.")

// breaks closes the connection instead of responding.
func breaks(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// calls contains one operation for each method.
var calls = map[string]func(context.Context, *Client) error{
	"GET": func(ctx context.Context, c *Client) error {
		_, err := c.Surveys("1").Retrieve(ctx, surveyID)
		return err
	},
	"PATCH": func(ctx context.Context, c *Client) error {
		_, err := c.Surveys("1").Update(ctx, surveyID, surveyBody)
		return err
	},
	"DELETE": func(ctx context.Context, c *Client) error { return c.Surveys("1").Delete(ctx, surveyID) },
	"POST": func(ctx context.Context, c *Client) error {
		_, err := c.Surveys("1").Create(ctx, surveyBody)
		return err
	},
}

// A temporary failure is retried with the whole body. A create is never retried.
func TestFailuresPass(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]http.HandlerFunc{
		"500": failing, "502": respondAs(502, "text/html", "<title>Bad Gateway</title>"),
		"503": refuse(503, "server_error", "error", "Busy."), "504": respondAs(504, "", ""),
		"broken": breaks, "cut off": respondAs(200, "application/json", `{"id":`, "Content-Length", "100"),
	} {
		for method, call := range calls {
			t.Run(name+" "+method, func(t *testing.T) {
				t.Parallel()
				s := serve(t, failure, failure, found)
				c, k := s.retryingClient()
				err := call(t.Context(), c)

				if method == "POST" {
					require.Error(t, err)
					assert.Len(t, s.requests(), 1)
					return
				}

				require.NoError(t, err)
				assert.Equal(t, []time.Duration{firstPause, 2 * firstPause}, k.waits)
				asked := s.requests()
				require.Len(t, asked, 3)
				for _, r := range asked {
					assert.Equal(t, method, r.method)
					assert.Equal(t, asked[0].body, r.body)
				}
			})
		}
	}
}

// A refusal is final.
func TestRefusalsStand(t *testing.T) {
	t.Parallel()
	for _, status := range []int{400, 401, 403, 404, 408, 409, 501, 520} {
		s := serve(t, respondAs(status, "application/json", `{"detail":"no"}`, "Retry-After", "1"))
		c, _ := s.retryingClient()
		_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, time.Second, e.RetryAfter)
		assert.Len(t, s.requests(), 1)
	}
}

// A lasting failure ends the operation after a minute. A failure with Retry-After, and a 429, is waited out and not
// counted.
func TestFailureLasts(t *testing.T) {
	t.Parallel()
	answers := []http.HandlerFunc{respondAs(503, "", "", "Retry-After", "300"), failing, throttle("30")}
	for range 20 {
		answers = append(answers, failing)
	}
	s := serve(t, answers...)
	c, k := s.retryingClient()
	c.breaker.note(nil, k.now()) // PostHog has responded before
	started := k.now()
	_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, 500, e.Status)
	assert.InDelta(t, 300+failuresEnd.Seconds(), k.now().Sub(started).Seconds(), 31)
}

// Slow failures end the operation after a minute, not after a number of attempts.
func TestFailureTakesLong(t *testing.T) {
	t.Parallel()
	retries := retryState{patience: failuresEnd}
	failure := &ConnectionError{Sent: true}
	now := time.Now()
	var sent int
	for sent = 1; retries.next("GET", failure, now).retry; sent++ {
		now = now.Add(30 * time.Second)
	}
	assert.Equal(t, 3, sent)

	slow := &ConnectionError{Sent: true, Timeout: true}
	assert.False(t, (&retryState{}).next("GET", slow, now).retry, "a slow read must not be repeated, because the client can read in another way")
	assert.True(t, (&retryState{boundedByBudget: true}).next("GET", slow, now).retry)
}

// The client waits for an unreachable service as long as the operation may take, but not for a service that responds
// with failures.
func TestFailureIsWaitedOut(t *testing.T) {
	t.Parallel()
	const length = 10 * time.Minute
	for name, c := range map[string]struct {
		failure http.HandlerFunc
		after   time.Duration
	}{
		"500": {failing, failuresEnd}, "502": {respondAs(502, "", ""), length}, "503": {respondAs(503, "", ""), length},
		"504": {respondAs(504, "", ""), length}, "broken": {breaks, length}, "cut off": {respondAs(200, "application/json", `{"id":`, "Content-Length", "100"), length},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var answers []http.HandlerFunc
			for range 40 {
				answers = append(answers, c.failure)
			}
			client, k := serve(t, answers...).retryingClient()
			client.breaker.note(nil, k.now()) // PostHog has responded before
			ctx, cancel := WithBudget(t.Context(), Budget{Operation: "read", Length: length})
			defer cancel()

			started := k.now()
			_, err := client.Surveys("1").Retrieve(ctx, surveyID)

			require.Error(t, err)
			assert.InDelta(t, c.after.Seconds(), k.now().Sub(started).Seconds(), 40)
			_, outOfTime := OutOfTime(err)
			assert.Equal(t, c.after == length, outOfTime, "%v", err)
		})
	}
}

// In posthog-sync, operations have no deadline. All requests to a service that became unavailable share one wait of a
// minute. A request that fails while others succeed doesn't affect them.
func TestServiceThatWentAwayIsWaitedForOnce(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]http.HandlerFunc{
		"500": failing, "503": respondAs(503, "", ""), "503 with a pause": respondAs(503, "", "", "Retry-After", "5"), "broken": breaks,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answers := []http.HandlerFunc{found}
			for range 50 {
				answers = append(answers, failure)
			}
			c, k := serve(t, answers...).retryingClient()
			_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
			require.NoError(t, err)

			started := k.now()
			for range 10 {
				_, err = c.Surveys("1").Update(t.Context(), surveyID, surveyBody)
				require.Error(t, err)
			}
			assert.InDelta(t, failuresEnd.Seconds(), k.now().Sub(started).Seconds(), 6)

			c.breaker.note(nil, k.now()) // another request succeeds
			started = k.now()
			_, err = c.Surveys("1").Update(t.Context(), surveyID, surveyBody)
			require.Error(t, err)
			assert.InDelta(t, failuresEnd.Seconds(), k.now().Sub(started).Seconds(), 6)
		})
	}
}

// If connections are refused, even a create is retried, but not for long.
func TestUnreachableIsTriedAgain(t *testing.T) {
	t.Parallel()
	refused := &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	for method, call := range calls {
		for most, want := range map[int]bool{unreachableTries - 1: true, unreachableTries: false} {
			tried := 0
			c, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey, Transport: dialing(func(req *http.Request) (*http.Response, error) {
				if tried++; tried <= most {
					return nil, refused
				}
				return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(`{"id":"` + surveyID + `"}`))}, nil
			})})
			require.NoError(t, err)
			k := stop(c)
			err = call(t.Context(), c)
			assert.Equal(t, want, err == nil, "%s: %v", method, err)
			assert.Len(t, k.waits, unreachableTries-1)
		}
	}
}

// If a service that responded before refuses connections, its URL is right, so the operation waits for it.
func TestServiceThatIsAwayIsWaitedFor(t *testing.T) {
	t.Parallel()
	tried := 0
	c, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey, Transport: dialing(func(*http.Request) (*http.Response, error) {
		if tried++; tried > 1 && tried < 12 {
			return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
		}
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(`{"id":"` + surveyID + `"}`))}, nil
	})})
	require.NoError(t, err)
	k := stop(c)
	ctx, cancel := WithBudget(t.Context(), Budget{Operation: "create", Length: 20 * time.Minute})
	defer cancel()
	_, err = c.Surveys("1").Retrieve(ctx, surveyID)
	require.NoError(t, err)
	_, err = c.Surveys("1").CreateOnce(ctx, surveyBody)
	require.NoError(t, err, "a create that was not sent must be sent when PostHog is available again")
	assert.Len(t, k.waits, 10)
}

// After giving up one request, the client sends no others for a while, because there may be a thousand of them, and
// each would take as long. Later, it sends them.
func TestUnreachableIsGivenUpOnce(t *testing.T) {
	t.Parallel()
	tried, away := 0, true
	c, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey, Transport: dialing(func(*http.Request) (*http.Response, error) {
		if tried++; away {
			return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
		}
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(`{"id":1}`))}, nil
	})})
	require.NoError(t, err)
	k := stop(c)
	_, err = c.Surveys("1").Retrieve(t.Context(), surveyID)
	require.Error(t, err)
	err = c.PipelineImportApps(orgID).Delete(t.Context(), 7)
	assert.ErrorContains(t, err, "DELETE /api/organizations/"+orgID+"/pipeline_import_apps/7/ (pipeline_import_apps_destroy): cannot reach posthog.example")
	assert.Equal(t, unreachableTries, tried)
	away = false
	require.NoError(t, k.sleep(t.Context(), breakerPause))
	_, err = c.PipelineImportApps(orgID).Retrieve(t.Context(), 1)
	assert.NoError(t, err)
}

// If each attempt to connect is slow, the client makes only two.
func TestUnreachableTakesLong(t *testing.T) {
	t.Parallel()
	retries := retryState{patience: failuresEnd}
	now := time.Now()
	sent := 1
	for ; retries.next("GET", &ConnectionError{}, now).retry; sent++ {
		now = now.Add(connectTimeout)
	}
	assert.Equal(t, 2, sent)
}

// dialing is a transport that reports its connections like net/http.
func dialing(f func(*http.Request) (*http.Response, error)) http.RoundTripper {
	return memory(func(req *http.Request) (*http.Response, error) {
		httptrace.ContextClientTrace(req.Context()).GetConn("posthog.example:80")
		return f(req)
	})
}

// A wrong URL is reported immediately.
func TestPermanentErrorIsReportedAtOnce(t *testing.T) {
	t.Parallel()
	for name, trouble := range map[string]error{
		"no such host": &net.DNSError{IsNotFound: true},
		"no http":      errors.New(`malformed HTTP response "SSH-2.0"`),
		"plain port":   errors.New("http: server gave HTTP response to HTTPS client"),
	} {
		c, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey, Transport: dialing(func(*http.Request) (*http.Response, error) {
			return nil, trouble
		})})
		require.NoError(t, err)
		k := stop(c)
		_, err = c.Surveys("1").Retrieve(t.Context(), surveyID)
		require.Error(t, err, name)
		assert.Empty(t, k.waits, name)
	}
}

// If the caller stops, the pause after a failure ends immediately, and the error contains both reasons.
func TestStoppedAfterFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey, Transport: memory(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {"60"}}, Body: io.NopCloser(strings.NewReader("{}"))}, nil
		})})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		started := time.Now()
		time.AfterFunc(5*time.Second, cancel)
		_, err = c.Surveys("1").Retrieve(ctx, surveyID)
		assert.ErrorIs(t, err, context.Canceled)
		assert.ErrorContains(t, err, "503 Service Unavailable")
		assert.Equal(t, 5*time.Second, time.Since(started))
	})
}

// A pause's random part is small.
func TestJitter(t *testing.T) {
	t.Parallel()
	for _, pause := range []time.Duration{0, firstPause, time.Hour} {
		for range 100 {
			added := jitter(pause)
			assert.GreaterOrEqual(t, added, time.Duration(0))
			assert.LessOrEqual(t, added, min(pause/8, spread))
		}
	}
}

// bounded returns a client with a retry limit, on a clock that jumps.
func (s *service) bounded(maxRetries int) (*Client, *clock) {
	c := s.client(func(o *Options) { o.MaxRetries = &maxRetries })
	c.retry = (*retryState).next
	return c, stop(c)
}

// The client retries a request max_retries times, and then returns the failure.
func TestMaxRetries(t *testing.T) {
	t.Parallel()
	for maxRetries, want := range map[int]string{
		0: "(not retried, because max_retries, POSTHOG_MAX_RETRIES, is 0)",
		2: "(retried 2 times, the maximum that max_retries, POSTHOG_MAX_RETRIES, allows)",
	} {
		s := serve(t, failing, failing, failing)
		c, k := s.bounded(maxRetries)
		_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
		require.ErrorContains(t, err, want)
		refusal, ok := asAPIError(err)
		require.True(t, ok, "the error must keep PostHog's response")
		assert.Equal(t, 500, refusal.Status)
		assert.Len(t, s.requests(), maxRetries+1)
		assert.Len(t, k.waits, maxRetries)
	}
}

// If a request's last allowed retry succeeds, so does the request.
func TestMaxRetriesSuffices(t *testing.T) {
	t.Parallel()
	s := serve(t, failing, throttle("7"), found)
	c, k := s.bounded(2)
	_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
	require.NoError(t, err)
	assert.Equal(t, []time.Duration{firstPause, 7 * time.Second}, k.waits)
}

// Without retries, a 429 is an immediate error, and the next request still waits as long as PostHog asked.
func TestNoRetriesRespectRetryAfter(t *testing.T) {
	t.Parallel()
	s := serve(t, throttle("30"), found)
	c, k := s.bounded(0)
	_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
	require.True(t, IsThrottled(err), err)
	assert.Empty(t, k.waits)

	_, err = c.Surveys("1").Retrieve(t.Context(), surveyID)
	require.NoError(t, err)
	assert.Equal(t, []time.Duration{30 * time.Second}, k.waits)
}

// With max_retries, the client searches for a create's object if the response was lost, and doesn't send the create
// again. Without max_retries, it does.
func TestMaxRetriesOfCreates(t *testing.T) {
	t.Parallel()
	for maxRetries, posts := range map[int]int{0: 1, 1: 2} {
		s := serve(t, failing, respondJSON(200, `{"count":0,"next":null,"previous":null,"results":[]}`), found)
		c, _ := s.bounded(maxRetries)
		_, err := c.Surveys("1").CreateOnce(t.Context(), surveyBody)
		if maxRetries == 0 {
			var ambiguous *AmbiguousCreateError
			require.ErrorAs(t, err, &ambiguous)
		} else {
			require.NoError(t, err)
		}

		sent := 0
		for _, r := range s.requests() {
			if r.method == "POST" {
				sent++
			}
		}
		assert.Equal(t, posts, sent)
	}
}

func TestPauses(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]time.Duration{0: firstPause, 1: 2 * firstPause, 2: 4 * firstPause, 1_000_000: longestPause} {
		assert.Equal(t, want, pauseAfter(n, 0))
		assert.Equal(t, time.Hour, pauseAfter(n, time.Hour))
	}
}

func TestParseMaxRetries(t *testing.T) {
	t.Parallel()
	n, err := ParseMaxRetries("3")
	require.NoError(t, err)
	assert.Equal(t, 3, *n)
	n, err = ParseMaxRetries("")
	require.NoError(t, err)
	assert.Nil(t, n)

	for _, text := range []string{testKey, "-1"} {
		_, err := ParseMaxRetries(text)
		require.ErrorContains(t, err, "max_retries (POSTHOG_MAX_RETRIES) must be a whole number")
		assert.NotContains(t, err.Error(), testKey)
	}
}

// unanswering returns a client of a service that never responds.
func unanswering(t *testing.T) *Client {
	t.Helper()
	c, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey, Transport: memory(func(req *http.Request) (*http.Response, error) {
		<-req.Context().Done()
		return nil, req.Context().Err()
	})})
	require.NoError(t, err)
	return c
}

// The operation's timeout ends the current request, and the error names the timeout.
func TestBudgetEndsARequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := WithBudget(t.Context(), Budget{Operation: "update", Length: 90 * time.Second})
		defer cancel()
		started := time.Now()
		_, err := unanswering(t).Surveys("1").Update(ctx, surveyID, surveyBody)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, "the update may take no longer than 1m30s, and that time ran out before posthog.example responded")
		b, ok := OutOfTime(fmt.Errorf("wrapped: %w", err))
		assert.True(t, ok)
		assert.Equal(t, Budget{"update", 90 * time.Second}, b)
		assert.Equal(t, 90*time.Second, time.Since(started))
	})
}

// Time spent waiting for a closed gate counts toward the timeout, even if another request's 429 closed the gate.
func TestBudgetEndsAWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := unanswering(t)
		ctx, cancel := WithBudget(t.Context(), Budget{Operation: "read", Length: time.Minute})
		defer cancel()
		c.gate.hold(30 * time.Second)
		time.AfterFunc(20*time.Second, func() { c.gate.hold(25 * time.Second) })
		time.AfterFunc(40*time.Second, func() { c.gate.hold(time.Hour) })
		_, err := c.Surveys("1").Retrieve(ctx, surveyID)
		require.ErrorContains(t, err, "and the read may take no longer than 1m (PostHog throttled requests)")
		_, ok := OutOfTime(err)
		assert.True(t, ok)
	})
}

// Ctrl-C, request_timeout, and a missing timeout are not reported as an exhausted operation timeout.
func TestOutOfTimeIsNothingElse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stopped, stop := context.WithCancel(t.Context())
		stop()
		for name, parent := range map[string]context.Context{"stopped": stopped, "request_timeout": t.Context()} {
			ctx, cancel := WithBudget(parent, Budget{Operation: "create", Length: time.Hour})
			_, err := unanswering(t).Surveys("1").Create(ctx, surveyBody)
			cancel()
			require.Error(t, err, name)
			_, ok := OutOfTime(err)
			assert.False(t, ok, "%s: %v", name, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := unanswering(t).Surveys("1").Create(ctx, surveyBody)
		_, ok := OutOfTime(err)
		assert.False(t, ok, err)
	})
}

// Work that continues after the operation ended has its own deadline.
func TestBudgetIsNotThatOfAnotherDeadline(t *testing.T) {
	t.Parallel()
	ctx, cancel := WithBudget(t.Context(), Budget{Operation: "create", Length: time.Hour})
	defer cancel()
	create := newCall(ctx, "surveys_create")
	assert.True(t, create.isTimed(ctx))
	after, cancelAfter := context.WithTimeout(context.WithoutCancel(ctx), cancelGrace)
	defer cancelAfter()
	assert.False(t, create.isTimed(after))
	c, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey})
	require.NoError(t, err)
	k := stop(c)
	limit := c.gate.limit(ctx, create)
	require.NoError(t, k.sleep(ctx, time.Minute))
	assert.Equal(t, limit, c.gate.limit(ctx, create), "the requests of one operation must share its time limit")
	assert.WithinDuration(t, k.now().Add(cancelGrace), c.gate.limit(after, create), time.Second)
}

func TestFormatDuration(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		20 * time.Minute: "20m", 2 * time.Hour: "2h", 90 * time.Minute: "1h30m", 90 * time.Second: "1m30s",
		30 * time.Second: "30s", time.Hour + time.Second: "1h0m1s", 10 * time.Second: "10s", 250 * time.Millisecond: "250ms",
	} {
		assert.Equal(t, want, FormatDuration(d))
	}
}

// down is a service that fails until it is repaired.
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

// refreshAll reads a hundred surveys, ten at a time as Terraform does, and returns the errors.
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

// If a service fails from the first request on, with any kind of failure, the client gives up on it after a minute,
// once for all objects.
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
					assert.Regexp(t, `all \d+ requests of this run failed, over 1m.*Down`, err.Error())
				}

				// Later requests are sent, in case the service is back.
				d.failing.Store(false)
				time.Sleep(breakerPause)
				assert.Empty(t, refreshAll(t, c))
			})
		})
	}
}

// The client waits for a service that has responded before.
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

// After the client has stopped sending requests to PostHog, it sends no create, so a create's outcome is never
// unknown.
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
		assert.ErrorContains(t, err, "POST /api/projects/1/surveys/ (surveys_create): not sent: all ")
		assert.Equal(t, before, d.requests.Load())
	})
}
