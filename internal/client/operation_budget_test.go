package client

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unanswering is a client of a service that never answers.
func unanswering(t *testing.T) *Client {
	t.Helper()
	c, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey, Transport: memory(func(req *http.Request) (*http.Response, error) {
		<-req.Context().Done()
		return nil, req.Context().Err()
	})})
	require.NoError(t, err)
	return c
}

// The time of an operation ends what is under way, and the error names it.
func TestBudgetEndsARequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := WithBudget(t.Context(), Budget{Operation: "update", Length: 90 * time.Second})
		defer cancel()
		started := time.Now()
		_, err := unanswering(t).Surveys("1").Update(ctx, surveyID, surveyBody)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, "the update may take no longer than 1m30s, and that time was over before posthog.example had responded")
		b, ok := OutOfTime(fmt.Errorf("wrapped: %w", err))
		assert.True(t, ok)
		assert.Equal(t, Budget{"update", 90 * time.Second}, b)
		assert.Equal(t, 90*time.Second, time.Since(started))
	})
}

// Waiting for a shut gate counts as well, also when another's 429 shut it.
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
		require.ErrorContains(t, err, "and the read may take no longer than 1m (the service asked for fewer requests)")
		_, ok := OutOfTime(err)
		assert.True(t, ok)
	})
}

// Ctrl-C, request_timeout and a time that was not set are no budget that is over.
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

// What goes on after the operation has ended has a time of its own.
func TestBudgetIsNotThatOfAnotherDeadline(t *testing.T) {
	t.Parallel()
	ctx, cancel := WithBudget(t.Context(), Budget{Operation: "create", Length: time.Hour})
	defer cancel()
	assert.Equal(t, "create", budgetFrom(ctx).Operation)
	after, cancelAfter := context.WithTimeout(context.WithoutCancel(ctx), cancelGrace)
	defer cancelAfter()
	assert.Empty(t, budgetFrom(after))
	c, err := New(Options{BaseURL: "http://posthog.example", APIKey: testKey})
	require.NoError(t, err)
	k := stop(c)
	limit := c.gate.limit(ctx)
	require.NoError(t, k.sleep(ctx, time.Minute))
	assert.Equal(t, limit, c.gate.limit(ctx), "the requests of one operation share its time")
	assert.WithinDuration(t, k.now().Add(cancelGrace), c.gate.limit(after), time.Second)
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
