package client

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Retries bounds how often, and after which pauses, a failed request is sent again. Zero is
// what suits most: as long as the operation has time. What it allows is never more than what
// is safe: a create is not sent again because of it.
type Retries struct {
	// Max is how often one request is sent again; nil for no such bound.
	Max *int
	// WaitMin is the pause before the first retry, which doubles each time, and WaitMax the
	// longest. Zero is 250ms and 30s. A pause that the service asks for is as long as it says.
	WaitMin, WaitMax time.Duration
}

// The settings of [Retries].
const (
	maxRetriesSetting   = "max_retries"
	retryWaitMinSetting = "retry_wait_min"
	retryWaitMaxSetting = "retry_wait_max"
)

// ParseRetries reads the settings as texts; empty is not set. Its error is a [SettingError].
func ParseRetries(maxRetries, waitMin, waitMax string) (Retries, error) {
	var r Retries
	if maxRetries != "" {
		n, err := strconv.Atoi(maxRetries)
		if err != nil || n < 0 {
			// Without the value: it may be the key that somebody put there by mistake.
			return r, &SettingError{maxRetriesSetting, "must be a whole number, or 0 to send nothing again"}
		}
		r.Max = &n
	}

	for _, wait := range []struct {
		setting, text string
		into          *time.Duration
	}{{retryWaitMinSetting, waitMin, &r.WaitMin}, {retryWaitMaxSetting, waitMax, &r.WaitMax}} {
		if wait.text == "" {
			continue
		}
		length, err := time.ParseDuration(wait.text)
		if err != nil || length <= 0 {
			return r, &SettingError{wait.setting, "must be a duration greater than zero, such as 500ms, 10s or 2m"}
		}
		*wait.into = length
	}
	return r, r.check()
}

// check refuses bounds that exclude each other.
func (r Retries) check() error {
	switch {
	case r.Max != nil && *r.Max < 0:
		return &SettingError{maxRetriesSetting, "must not be negative"}
	case r.WaitMin < 0 || r.WaitMax < 0:
		return errors.New("a pause between retries is negative")
	case r.WaitMax > 0 && r.WaitMin > r.WaitMax:
		return &SettingError{retryWaitMinSetting, fmt.Sprintf("is %s, which is longer than %s, %s", r.WaitMin, retryWaitMaxSetting, r.WaitMax)}
	}
	return nil
}

// allows reports whether a request that was sent again so often may be once more.
func (r Retries) allows(again int) bool { return r.Max == nil || again < *r.Max }

// pauseAfter is the pause after the nth failure (from 0) of an operation.
func (r Retries) pauseAfter(n int, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}

	pause, longest := r.bounds()
	for range n {
		if pause > longest/2 {
			return longest
		}
		pause *= 2
	}
	return min(pause, longest)
}

// bounds are the first and the longest pause. One that is set moves the default of the other
// when they would exclude each other.
func (r Retries) bounds() (first, longest time.Duration) {
	first, longest = r.WaitMin, r.WaitMax
	if longest == 0 {
		longest = max(longestPause, first)
	}
	if first == 0 {
		first = min(firstPause, longest)
	}
	return first, longest
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
