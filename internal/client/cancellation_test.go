package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// slowly passes requests to a service that takes a while for each write, and cancels the operation during the first
// write.
func slowly(takes time.Duration, cancel context.CancelFunc, serve func(*http.Request) (*http.Response, error)) http.RoundTripper {
	return memory(func(req *http.Request) (*http.Response, error) {
		if !isWrite(req.Method) {
			return serve(req)
		}
		cancel()
		select {
		case <-req.Context().Done():
			return nil, req.Context().Err()
		case <-time.After(takes):
			return serve(req)
		}
	})
}

// A write that was sent completes after the operation was canceled, and its response is the result. A read is given
// up.
func TestA5WriteIsFinishedAfterCancel(t *testing.T) {
	t.Parallel()
	for method, call := range calls {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := WithBudget(t.Context(), Budget{Operation: "create", Length: 20 * time.Minute})
				defer cancel()
				client, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey, Transport: slowly(50*time.Second, cancel, func(req *http.Request) (*http.Response, error) {
					if req.Method == http.MethodGet {
						cancel()
					}
					if err := req.Context().Err(); err != nil {
						return nil, err
					}
					return answered(200, map[string]any{"id": surveyID}), nil
				})})
				require.NoError(t, err)
				err = call(ctx, client)
				if method == http.MethodGet {
					require.ErrorIs(t, err, context.Canceled)
					return
				}
				require.NoError(t, err)
				require.ErrorIs(t, ctx.Err(), context.Canceled)

				_, err = client.Surveys("1").Retrieve(ctx, surveyID)
				assert.NoError(t, err, "a read that completes the write must not be canceled")
			})
		})
	}
}

// After a cancellation, request_timeout ends a write that hangs, and a write that was not sent yet is never sent.
func TestA5CanceledWriteIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := WithBudget(t.Context(), Budget{Operation: "update", Length: 20 * time.Minute})
		defer cancel()

		sent := 0
		client, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey, RequestTimeout: 30 * time.Second,
			Transport: slowly(time.Hour, cancel, func(*http.Request) (*http.Response, error) { return nil, errors.New("too late") })})
		require.NoError(t, err)
		inner := client.transport
		client.transport = memory(func(req *http.Request) (*http.Response, error) {
			sent++
			return inner.RoundTrip(req)
		})

		start := time.Now()
		err = calls["PATCH"](ctx, client)

		require.ErrorContains(t, err, "within 30s (request_timeout)")
		assert.Equal(t, 30*time.Second, time.Since(start))
		assert.Error(t, calls["PATCH"](ctx, client))
		assert.Equal(t, 1, sent, "after a cancellation, the client must not send or repeat a request")
	})
}

// Canceling the operation immediately ends the wait for a created object to appear.
func TestA5CancelEndsTheSearch(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	srv.SetFaults(testserver.Fault{Method: http.MethodPost, Drop: "before"})
	client := of(t, srv)

	ctx, cancel := context.WithCancel(t.Context())
	var waits int
	client.gate.sleep = func(ctx context.Context, _ time.Duration) error {
		if waits++; waits == 3 {
			cancel()
		}
		return ctx.Err()
	}

	_, err := nouns(srv)["survey"].create(ctx, client)

	var ambiguous *AmbiguousCreateError
	require.ErrorAs(t, err, &ambiguous)
	assert.Equal(t, 3, waits)
	searches := 0
	for _, one := range srv.Journal() {
		if one.Operation == "surveys_list" {
			searches++
		}
	}
	assert.Equal(t, 4, searches, "after the cancellation, the client must search once more")
}

// If PostHog creates an object after request_timeout, the client finds the object by searching repeatedly for a minute.
// If creating takes longer, the error says so, long before the operation's timeout.
func TestA5ServiceSlowerThanRequestTimeout(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		takes time.Duration
		found bool
	}{"a moment": {2500 * time.Millisecond, true}, "most of a minute": {50 * time.Second, true}, "minutes": {9 * time.Minute, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t, testserver.Options{Clock: time.Now})
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := WithBudget(t.Context(), Budget{Operation: "create", Length: 10 * time.Minute})
				defer cancel()
				client, err := New(Options{BaseURL: "http://posthog.example", APIKey: srv.APIKey, RequestTimeout: time.Second, Transport: working(srv, c.takes)})
				require.NoError(t, err)

				start := time.Now()
				id, err := nouns(srv)["survey"].create(ctx, client)

				if c.found {
					require.NoError(t, err)
					assert.Equal(t, srv.Surveys("1")[0]["id"], id)
					assert.InDelta(t, c.takes.Seconds(), time.Since(start).Seconds(), longestLookPause.Seconds()+1)
				} else {
					var ambiguous *AmbiguousCreateError
					require.ErrorAs(t, err, &ambiguous)
					assert.InDelta(t, 80, time.Since(start).Seconds(), 5)
					assert.ErrorContains(t, err, "appeared within 1m1")
				}
				time.Sleep(c.takes)
			})
		})
	}
}

// working passes requests to a server without a network. A write takes a while, and continues after the client stops
// waiting for its response.
func working(srv *testserver.Instance, takes time.Duration) http.RoundTripper {
	return memory(func(req *http.Request) (*http.Response, error) {
		response, done := httptest.NewRecorder(), make(chan struct{})
		body := []byte{}
		if req.Body != nil {
			var err error
			if body, err = io.ReadAll(req.Body); err != nil {
				return nil, err
			}
		}

		again := req.Clone(context.WithoutCancel(req.Context()))
		again.Body = io.NopCloser(bytes.NewReader(body))
		go func() {
			defer close(done)
			if isWrite(req.Method) {
				time.Sleep(takes)
			}
			srv.Server.ServeHTTP(response, again)
		}()

		select {
		case <-req.Context().Done():
			return nil, req.Context().Err()
		case <-done:
			return response.Result(), nil
		}
	})
}
