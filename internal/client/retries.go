package client

import (
	"fmt"
	"strconv"
	"time"
)

// maxRetriesSetting is the setting that bounds how often one request is sent again. What it
// allows is never more than what is safe: a create is not sent again because of it.
const maxRetriesSetting = "max_retries"

// ParseMaxRetries reads the setting as a text: nil, for no such bound, if it is empty. Its error
// is a [SettingError].
func ParseMaxRetries(text string) (*int, error) {
	if text == "" {
		return nil, nil //nolint:nilnil // no bound is no error
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		// Without the value: it may be the key that somebody put there by mistake.
		return nil, &SettingError{maxRetriesSetting, "must be a whole number, or 0 to send nothing again"}
	}
	return &n, nil
}

// mayRetry reports whether a request that was sent again so often may be once more.
func (c *Client) mayRetry(again int) bool { return c.maxRetries == nil || again < *c.maxRetries }

// pauseAfter is the pause after the nth failure (from 0) of an operation: as long as the service
// asked for, or else twice the one before.
func pauseAfter(n int, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}

	pause := firstPause
	for range n {
		if pause > longestPause/2 {
			return longestPause
		}
		pause *= 2
	}
	return pause
}

// RetriesError is a failure after which the request would have been sent again, and
// max_retries was reached.
type RetriesError struct {
	// Again is how often the request was sent again.
	Again int

	cause error
}

// Error implements error.
func (e *RetriesError) Error() string {
	setting := maxRetriesSetting + ", " + Variable(maxRetriesSetting)
	if e.Again == 0 {
		return fmt.Sprintf("%s (not sent again: %s, is 0)", e.cause, setting)
	}
	return fmt.Sprintf("%s (sent again %d times, as many as %s, allows)", e.cause, e.Again, setting)
}

// Unwrap returns the last failure.
func (e *RetriesError) Unwrap() error { return e.cause }
