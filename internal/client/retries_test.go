package client

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bounded returns a client whose retries are bounded, on a clock that jumps.
func (s *service) bounded(maxRetries int) (*Client, *clock) {
	c := s.client(func(o *Options) { o.MaxRetries = &maxRetries })
	c.retry = (*retryState).next
	return c, stop(c)
}

// A request is sent again as often as max_retries says, and then the failure is the error.
func TestMaxRetries(t *testing.T) {
	t.Parallel()
	for maxRetries, want := range map[int]string{
		0: "(not sent again: max_retries, POSTHOG_MAX_RETRIES, is 0)",
		2: "(sent again 2 times, as many as max_retries, POSTHOG_MAX_RETRIES, allows)",
	} {
		s := serve(t, failing, failing, failing)
		c, k := s.bounded(maxRetries)
		_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
		require.ErrorContains(t, err, want)
		refusal, ok := asAPIError(err)
		require.True(t, ok, "what the service said stays")
		assert.Equal(t, 500, refusal.Status)
		assert.Len(t, s.requests(), maxRetries+1)
		assert.Len(t, k.waits, maxRetries)
	}
}

// The last failure before success is one that max_retries allows.
func TestMaxRetriesSuffices(t *testing.T) {
	t.Parallel()
	s := serve(t, failing, throttle("7"), found)
	c, k := s.bounded(2)
	_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
	require.NoError(t, err)
	assert.Equal(t, []time.Duration{firstPause, 7 * time.Second}, k.waits)
}

// Without retries a 429 is an error at once, and the next request still waits for as long as
// the service asked.
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

// A create whose response is lost is looked for, and not sent a second time, which without
// max_retries it is.
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
