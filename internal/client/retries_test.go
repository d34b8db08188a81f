package client

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bounded returns a client whose retries are bounded, on a clock that jumps.
func (s *service) bounded(maxRetries int) (*Client, *clock) {
	c := s.client(func(o *Options) { o.Retries.Max = &maxRetries })
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

// The pauses begin and end where they are set to; one that the service asks for is none of
// them.
func TestRetryWaits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		retries Retries
		want    []time.Duration
	}{
		"default":        {Retries{}, []time.Duration{firstPause, 2 * firstPause, 4 * firstPause}},
		"both":           {Retries{WaitMin: time.Second, WaitMax: 3 * time.Second}, []time.Duration{time.Second, 2 * time.Second, 3 * time.Second}},
		"long minimum":   {Retries{WaitMin: time.Minute}, []time.Duration{time.Minute, time.Minute, time.Minute}},
		"short maximum":  {Retries{WaitMax: time.Millisecond}, []time.Duration{time.Millisecond, time.Millisecond, time.Millisecond}},
		"equal":          {Retries{WaitMin: 5, WaitMax: 5}, []time.Duration{5, 5, 5}},
		"very long ones": {Retries{WaitMin: forever, WaitMax: 2 * forever}, []time.Duration{forever, 2 * forever, 2 * forever}},
	} {
		for n, want := range c.want {
			assert.Equal(t, want, c.retries.pauseAfter(n, 0), name)
			assert.Equal(t, time.Hour, c.retries.pauseAfter(n, time.Hour), name)
		}
		_, longest := c.retries.bounds()
		assert.Equal(t, longest, c.retries.pauseAfter(1_000_000, 0), name)
	}
}

func TestParseRetries(t *testing.T) {
	t.Parallel()
	r, err := ParseRetries("3", "500ms", "1m")
	require.NoError(t, err)
	assert.Equal(t, 3, *r.Max)
	assert.Equal(t, Retries{Max: r.Max, WaitMin: 500 * time.Millisecond, WaitMax: time.Minute}, r)

	none, err := ParseRetries("", "", "")
	require.NoError(t, err)
	assert.Equal(t, Retries{}, none)

	for _, c := range []struct{ maxRetries, waitMin, waitMax, want string }{
		{testKey, "", "", "max_retries (POSTHOG_MAX_RETRIES) must be a whole number"},
		{"-1", "", "", "max_retries (POSTHOG_MAX_RETRIES) must be a whole number"},
		{"", testKey, "", "retry_wait_min (POSTHOG_RETRY_WAIT_MIN) must be a duration"},
		{"", "", "0s", "retry_wait_max (POSTHOG_RETRY_WAIT_MAX) must be a duration"},
		{"", "2m", "1m", "retry_wait_min (POSTHOG_RETRY_WAIT_MIN) is 2m0s, which is longer than retry_wait_max, 1m0s"},
	} {
		_, err := ParseRetries(c.maxRetries, c.waitMin, c.waitMax)
		require.ErrorContains(t, err, c.want)
		assert.NotContains(t, err.Error(), testKey)
	}
}
